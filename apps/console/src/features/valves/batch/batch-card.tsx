import type { CommandBatch } from '@isotherm/contract/command'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CardFoot, CardHead } from '../lists/card-lines.tsx'
import styles from './batch.module.css'
import { BatchBadge } from './batch-badge.tsx'
import { BatchCounts } from './batch-counts.tsx'

interface BatchCardProps {
  readonly batch: CommandBatch
  readonly onOpen: (batchId: string) => void
}

/** One batch as a card, for a narrow screen. */
export function BatchCard({ batch, onOpen }: BatchCardProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { id, createdAt, state, priority, actor, reason } = batch
  return (
    <>
      <CardHead>
        <Button
          className={styles.listLink ?? ''}
          type="link"
          data-testid={`open-batch-${id}`}
          onClick={() => onOpen(id)}
        >
          {format.instant(createdAt)}
        </Button>
        <BatchBadge state={state} />
      </CardHead>
      <BatchCounts batch={batch} />
      <CardFoot parts={[t(`order.priorities.${priority}`, { ns: 'common' }), actor, reason]} />
    </>
  )
}
