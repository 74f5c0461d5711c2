import type { HeatedNode } from '@isotherm/contract/endpoints/network/emitters'
import { type EmitterKind, emitterKind } from '@isotherm/contract/network/emitters'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import { networkKeys, saveEmitter } from './network-queries.ts'
import styles from './pipes.module.css'
import { toShortAddress } from './short-address.ts'

interface EmitterTableProps {
  readonly nodes: readonly HeatedNode[]
  readonly depth: number
}

/** Widths of the columns, px. */
const PLACE_PX = { wide: 360, narrow: 160 } as const
const EMITTER_PX = { wide: 200, narrow: 180 } as const
/** Emitter of a node without a record. */
const USUAL: EmitterKind = 'radiator'

/** Emitter of each node. A node without one inherits it from the node above. */
export function EmitterTable({ nodes, depth }: EmitterTableProps) {
  const { t } = useTranslation('balancing')
  const isNarrow = useIsMobile()
  const client = useQueryClient()
  const size = isNarrow ? 'narrow' : 'wide'
  const saving = useMutation({
    mutationFn: saveEmitter,
    onSettled: () => client.invalidateQueries({ queryKey: networkKeys }),
  })
  return (
    <DenseTable<HeatedNode>
      rowKey="node"
      widthPx={PLACE_PX[size] + EMITTER_PX[size]}
      dataSource={nodes}
      data-testid="emitters"
      columns={[
        {
          title: t('pipes.node'),
          key: 'node',
          width: PLACE_PX[size],
          ellipsis: true,
          render: (_, { nestaddr }) => toShortAddress(nestaddr, depth),
        },
        {
          title: t('pipes.emitter'),
          key: 'emitter',
          width: EMITTER_PX[size],
          render: (_, { node, version, emitter, inherited, abilities, nestaddr }) => {
            const above = t('pipes.inherit', { name: t(`pipes.kinds.${inherited ?? USUAL}`) })
            if (!abilities.includes('edit')) return emitter ? t(`pipes.kinds.${emitter}`) : above
            return (
              <Select<EmitterKind | 'inherit'>
                size="small"
                className={styles.emitter ?? ''}
                aria-label={toShortAddress(nestaddr, depth)}
                value={emitter ?? 'inherit'}
                loading={saving.isPending && saving.variables.node === node}
                options={[
                  { value: 'inherit', label: emitter ? t('pipes.inheritPlain') : above },
                  ...emitterKind.options.map((value) => ({ value, label: t(`pipes.kinds.${value}`) })),
                ]}
                onChange={(chosen) =>
                  saving.mutate({ node, version, emitter: chosen === 'inherit' ? null : chosen })
                }
              />
            )
          },
        },
      ]}
    />
  )
}
