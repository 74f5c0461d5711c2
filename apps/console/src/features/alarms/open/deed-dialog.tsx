import { editAlarms } from '@isotherm/contract/endpoints/alarms'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { showNotice } from '../../../shared/ui/notices.ts'
import { matchingQuery } from '../calls/alarm-queries.ts'
import type { Deeds } from '../calls/alarm-update.ts'
import { useDeed } from '../calls/use-alarm-mutation.ts'
import { type AlarmFilter, toIdFilters } from '../filter/alarm-filter.ts'
import { DeedForm } from './deed-form.tsx'

/** What is acted upon: those chosen, or everything a filter matches when it is done. */
export type DeedScope =
  | { readonly kind: 'picked'; readonly ids: readonly number[] }
  | { readonly kind: 'matching'; readonly nodes: readonly NodeKey[]; readonly asked: AlarmFilter }

async function act(scope: DeedScope, deeds: Deeds): Promise<number> {
  if (scope.kind === 'matching') {
    const { filter, suppressed } = scope.asked
    // The root stands for everything the caller is granted.
    const nodes = scope.nodes.length > 0 ? [...scope.nodes] : [ROOT_KEY]
    return (await call(editAlarms, { nodes, filter, suppressed, ...deeds })).affected
  }
  let affected = 0
  for (const filter of toIdFilters(scope.ids)) {
    const done = await call(editAlarms, { nodes: [ROOT_KEY], filter, suppressed: true, ...deeds })
    affected += done.affected
  }
  return affected
}

interface DeedDialogProps {
  /** Absent while the dialog is closed. */
  readonly scope: DeedScope | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Acts on many alarms at once, after it has said how many. */
export function DeedDialog({ scope, onClose, onDone }: DeedDialogProps) {
  const { t } = useTranslation('alarms')
  return (
    <Modal
      open={scope !== undefined}
      title={t('deed.title')}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      {scope?.kind === 'picked' && (
        <DeedContent scope={scope} count={scope.ids.length} onClose={onClose} onDone={onDone} />
      )}
      {scope?.kind === 'matching' && <MatchingContent scope={scope} onClose={onClose} onDone={onDone} />}
    </Modal>
  )
}

interface ContentProps<Scope extends DeedScope> {
  readonly scope: Scope
  readonly onClose: () => void
  readonly onDone: () => void
}

function MatchingContent(props: ContentProps<Extract<DeedScope, { kind: 'matching' }>>) {
  const { t } = useTranslation('alarms')
  const { nodes, asked } = props.scope
  const matching = useQuery(matchingQuery(nodes, asked))
  return (
    <Answer query={matching} loading={t('deed.counting')}>
      {(count) => <DeedContent {...props} count={count} />}
    </Answer>
  )
}

function DeedContent(props: ContentProps<DeedScope> & { readonly count: number }) {
  const { scope, count, onClose, onDone } = props
  const { t } = useTranslation('alarms')
  const deed = useDeed((deeds: Deeds) => act(scope, deeds), {
    showsRefusal: true,
    onDone(affected) {
      showNotice('success', t('act.done', { count: affected }))
      onDone()
    },
  })
  return (
    <DeedForm
      intro={t(scope.kind === 'picked' ? 'deed.selected' : 'deed.matching', { count })}
      submit={t('deed.submit', { count })}
      isEmpty={count === 0}
      busy={deed.isPending}
      error={deed.error}
      onDeeds={deed.mutate}
      onClose={onClose}
    />
  )
}
