import { alarmKindDefinition } from '@isotherm/contract/alarm-kinds'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session-store.ts'
import { concernedQuery } from '../calls/rule-queries.ts'
import styles from '../parts/alarms.module.css'
import type { RuleDraft } from './rule-draft.ts'

interface ConcernedProps {
  readonly node: NodeKey
  readonly draft: Pick<RuleDraft, 'kind' | 'deviceKinds'>
}

/** How many devices a rule would hold for, where the user may be told. */
export function Concerned({ node, draft: { kind, deviceKinds } }: ConcernedProps) {
  const { t } = useTranslation('alarms')
  const mayCount = useSession(({ permitted }) =>
    getDevsFromPrjTree.access.anyOf.some((permission) => permitted.has(permission)),
  )
  const kinds = deviceKinds.length > 0 ? deviceKinds : alarmKindDefinition(kind).devices
  const counted = useQuery({ ...concernedQuery(node, kinds), enabled: mayCount && kinds.length > 0 })
  if (counted.data === undefined) return null
  return (
    <p className={styles.hint} data-testid="rule-concerned">
      {counted.data === 0 ? t('rule.concernedNone') : t('rule.concerned', { count: counted.data })}
    </p>
  )
}
