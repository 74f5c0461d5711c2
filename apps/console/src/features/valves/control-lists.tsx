import type { NodeKey } from '@isotherm/contract/tree'
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import { BatchList } from './batch/batch-list.tsx'
import { CommandLog } from './commands/command-log.tsx'
import { type ControlList, controlLists } from './control-url.ts'
import { ExerciseList } from './exercise/exercise-list.tsx'
import { HoldList } from './holds/hold-list.tsx'

interface ControlListsProps {
  /** Nodes of the listed valves; undefined if the selection no longer exists. */
  readonly nodes: readonly NodeKey[] | undefined
  /** Ids of the valves that the user may control. */
  readonly controllable: ReadonlySet<number>
  readonly list: ControlList
  /** The lists to choose from. */
  readonly lists?: readonly ControlList[]
  /** Page of the list, from 1. */
  readonly page: number
  readonly onList: (change: { readonly list?: ControlList; readonly page: number }) => void
  readonly onBatch: (batchId: string) => void
}

/** The lower part of a control page: batches, command log, holds or exercises of the valves below some nodes. */
export function ControlLists({
  nodes,
  controllable,
  list,
  lists = controlLists,
  page,
  onList,
  onBatch,
}: ControlListsProps) {
  const { t } = useTranslation('valves')
  const onPage = (next: number) => onList({ page: next })
  return (
    <Panel
      title={t(`lists.${list}`)}
      extra={
        <Segmented
          size="small"
          value={list}
          data-testid="control-lists"
          options={lists.map((each) => ({ value: each, label: t(`lists.${each}`) }))}
          onChange={(next) => onList({ list: next, page: 1 })}
        />
      }
    >
      {!nodes ? (
        <EmptyState title={t('selection.gone', { ns: 'common' })} />
      ) : list === 'batches' ? (
        <BatchList nodes={nodes} page={page} onPage={onPage} onOpen={onBatch} />
      ) : list === 'exercises' ? (
        <ExerciseList nodes={nodes} page={page} onPage={onPage} />
      ) : list === 'holds' ? (
        <HoldList nodes={nodes} controllable={controllable} />
      ) : (
        <CommandLog nodes={nodes} page={page} onPage={onPage} />
      )}
    </Panel>
  )
}
