import { PlusOutlined } from '@ant-design/icons'
import type { HeatedNode } from '@isotherm/contract/endpoints/network/emitters'
import type { Pipe } from '@isotherm/contract/endpoints/network/pipes'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session-store.ts'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { EmitterTable } from './emitter-table.tsx'
import { heatedNodesQuery, pipesQuery } from './network-queries.ts'
import { PipeForm } from './pipe-form.tsx'
import { PipeTable } from './pipe-table.tsx'
import styles from './pipes.module.css'
import { findDepth } from './short-address.ts'

const DRAWER_PX = 380
type Shown = 'pipes' | 'emitters'

const noPipes: readonly Pipe[] = []
const noNodes: readonly HeatedNode[] = []

/** Records of a loop used for planning: pipes and emitters. */
export function NetworkPanel({ node }: { readonly node: NodeKey }) {
  const { t } = useTranslation('balancing')
  const mayRecord = useSession(({ permitted }) => permitted.has('ps-oraigionsys'))
  const [shown, setShown] = useState<Shown>('pipes')
  const [form, setForm] = useState<Pipe | 'new'>()
  const [pipesAnswer, nodesAnswer] = [useQuery(pipesQuery(node)), useQuery(heatedNodesQuery(node))]
  const pipes = pipesAnswer.data ?? noPipes
  const nodes = nodesAnswer.data ?? noNodes
  const shownAnswer = shown === 'pipes' ? pipesAnswer : nodesAnswer
  const depth = useMemo(() => {
    const ends = pipes.flatMap(({ fromAddr, toAddr }) => [fromAddr, toAddr])
    return findDepth([...nodes.map(({ nestaddr }) => nestaddr), ...ends])
  }, [nodes, pipes])
  return (
    <Panel
      title={t('pipes.title')}
      extra={
        <span className={styles.actions}>
          {mayRecord && shown === 'pipes' && (
            <Button
              size="small"
              icon={<PlusOutlined />}
              data-testid="pipe-add"
              onClick={() => setForm('new')}
            >
              {t('pipes.add')}
            </Button>
          )}
          <Segmented<Shown>
            size="small"
            aria-label={t('pipes.show')}
            data-testid="network-shown"
            value={shown}
            options={[
              { value: 'pipes', label: `${t('pipes.pipes')} ${pipesAnswer.data?.length ?? ''}` },
              { value: 'emitters', label: t('pipes.emitters') },
            ]}
            onChange={setShown}
          />
        </span>
      }
    >
      {shownAnswer.data === undefined ? (
        shownAnswer.error ? (
          <ErrorState error={shownAnswer.error} onRetry={() => void shownAnswer.refetch()} />
        ) : (
          <LoadingState />
        )
      ) : shown === 'pipes' && pipes.length === 0 ? (
        <EmptyState title={t('pipes.none')} hint={t('pipes.noneHint')} />
      ) : (
        <div className={styles.table}>
          {shown === 'pipes' ? (
            <PipeTable pipes={pipes} depth={depth} onChoose={setForm} />
          ) : (
            <EmitterTable nodes={nodes} depth={depth} />
          )}
        </div>
      )}
      <SideDrawer
        isWanted={form !== undefined}
        isModal
        title={form === 'new' ? t('pipes.add') : t('pipes.edit')}
        widthPx={DRAWER_PX}
        onClose={() => setForm(undefined)}
      >
        {form !== undefined && (
          <PipeForm
            key={form === 'new' ? 'new' : `${form.from} ${form.to}`}
            pipe={form === 'new' ? undefined : form}
            nodes={nodes}
            depth={depth}
            onClose={() => setForm(undefined)}
          />
        )}
      </SideDrawer>
    </Panel>
  )
}
