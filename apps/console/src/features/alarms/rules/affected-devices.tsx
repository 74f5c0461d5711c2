import { alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { affectedQuery } from '../calls/rule-queries.ts'
import styles from '../parts/alarms.module.css'
import type { RuleDraft } from './rule-draft.ts'

interface AffectedDevicesProps {
  readonly node: NodeKey
  readonly draft: Pick<RuleDraft, 'kind' | 'deviceKinds'>
}

/** Number of devices that a rule affects, if the user may see it. */
export function AffectedDevices({ node, draft: { kind, deviceKinds } }: AffectedDevicesProps) {
  const { t } = useTranslation('alarms')
  const mayCount = useMayCall(getDevsFromPrjTree)
  const kinds = deviceKinds.length > 0 ? deviceKinds : alarmKindDefinition(kind).devices
  const counted = useQuery({ ...affectedQuery(node, kinds), enabled: mayCount && kinds.length > 0 })
  if (counted.data === undefined) return null
  return (
    <p className={styles.hint} data-testid="rule-concerned">
      {counted.data === 0 ? t('rule.concernedNone') : t('rule.concerned', { count: counted.data })}
    </p>
  )
}
