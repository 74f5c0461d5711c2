import { MutedOutlined } from '@ant-design/icons'
import { getAlarmSilences } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayHandleAlarms } from '../../../shared/alarms/use-may-handle-alarms.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { NodeAction } from '../../../shared/nodes/node-action.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { maySilenceQuery, silencesQuery } from '../calls/rule-queries.ts'
import { openSilenceDialog } from './silence-store.ts'

const everywhere: readonly NodeKey[] = []
const nothing: readonly NodeAction[] = []

const silenceNode: NodeAction = {
  key: 'silence',
  title: (t) => t('silence.menu', { ns: 'alarms' }),
  icon: MutedOutlined,
  ability: maySilenceQuery,
  act: ({ key, label }) => openSilenceDialog({ key, name: label }),
}
const actions: readonly NodeAction[] = [silenceNode]

/** The action of the alarms feature in the tree menu, for users who may handle alarms. */
export const useSilenceActions = (): readonly NodeAction[] => (useMayHandleAlarms() ? actions : nothing)

/** The silenced nodes, with end and reason as text. */
export function useSilencedNodes(): ReadonlyMap<NodeKey, string> {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const mayWatch = useMayCall(getAlarmSilences)
  const { data } = useQuery({ ...silencesQuery(everywhere), enabled: mayWatch })
  return useMemo(() => {
    const texts = new Map<NodeKey, string>()
    // The list is in order of the end, so the longest silence of a node wins.
    for (const { node, until, reason } of data?.datalist ?? [])
      texts.set(node, t('silences.mark', { instant: format.instant(until), reason }))
    return texts
  }, [data, t, format])
}
