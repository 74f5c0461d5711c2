import type { CommandBatch } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import text from '../lists/text.module.css'
import styles from './batch.module.css'
import { BatchBar } from './batch-bar.tsx'
import { countGroup } from './batch-figures.ts'

/** The progress of a batch, as a bar and as counts. */
export function BatchCounts({ batch }: { readonly batch: CommandBatch }) {
  const { t } = useTranslation('valves')
  const dropped = countGroup(batch, 'dropped')
  return (
    <div className={styles.listBar}>
      <BatchBar batch={batch} />
      <span className={text.hint}>
        {t(dropped > 0 ? 'batch.countDropped' : 'batch.count', {
          total: batch.total,
          confirmed: countGroup(batch, 'confirmed'),
          failed: countGroup(batch, 'failed'),
          open: countGroup(batch, 'open'),
          dropped,
        })}
      </span>
    </div>
  )
}
