import { editAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { matchingQuery } from '../calls/alarm-queries.ts'
import type { AlarmUpdate } from '../calls/alarm-update.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import { type AlarmFilter, toIdFilters } from '../filter/alarm-filter.ts'
import { HandleForm } from './handle-form.tsx'

/** The alarms to handle: the selected ones, or all that match the filter when it is sent. */
export type HandleScope =
  | { readonly kind: 'picked'; readonly ids: readonly number[] }
  | { readonly kind: 'matching'; readonly nodes: readonly NodeKey[]; readonly request: AlarmFilter }

async function act(scope: HandleScope, update: AlarmUpdate): Promise<number> {
  if (scope.kind === 'matching') {
    const { filter, suppressed } = scope.request
    // The root means everything that the user may see.
    const nodes = scope.nodes.length > 0 ? [...scope.nodes] : [ROOT_KEY]
    return (await call(editAlarms, { nodes, filter, suppressed, ...update })).affected
  }
  let affected = 0
  for (const filter of toIdFilters(scope.ids)) {
    const done = await call(editAlarms, { nodes: [ROOT_KEY], filter, suppressed: true, ...update })
    affected += done.affected
  }
  return affected
}

interface HandleDialogProps {
  /** Undefined while the dialog is closed. */
  readonly scope: HandleScope | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Handles many alarms in one call. Shows their number first. */
export function HandleDialog({ scope, onClose, onDone }: HandleDialogProps) {
  const { t } = useTranslation('alarms')
  return (
    <Modal
      open={scope !== undefined}
      title={t('handle.title')}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      {scope?.kind === 'picked' && (
        <ActionContent scope={scope} count={scope.ids.length} onClose={onClose} onDone={onDone} />
      )}
      {scope?.kind === 'matching' && <MatchingContent scope={scope} onClose={onClose} onDone={onDone} />}
    </Modal>
  )
}

interface ContentProps<Scope extends HandleScope> {
  readonly scope: Scope
  readonly onClose: () => void
  readonly onDone: () => void
}

function MatchingContent(props: ContentProps<Extract<HandleScope, { kind: 'matching' }>>) {
  const { t } = useTranslation('alarms')
  const { nodes, request } = props.scope
  const matching = useQuery(matchingQuery(nodes, request))
  return (
    <Answer query={matching} loading={t('handle.counting')}>
      {(count) => <ActionContent {...props} count={count} />}
    </Answer>
  )
}

function ActionContent(props: ContentProps<HandleScope> & { readonly count: number }) {
  const { scope, count, onClose, onDone } = props
  const { t } = useTranslation('alarms')
  const mutation = useAlarmMutation((update: AlarmUpdate) => act(scope, update), {
    showsRefusal: true,
    onDone(affected) {
      showNotice('success', t('act.done', { count: affected }))
      onDone()
    },
  })
  return (
    <HandleForm
      intro={t(scope.kind === 'picked' ? 'handle.selected' : 'handle.matching', { count })}
      submit={t('handle.submit', { count })}
      isEmpty={count === 0}
      busy={mutation.isPending}
      error={mutation.error}
      onUpdate={mutation.mutate}
      onClose={onClose}
    />
  )
}
