import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { showEverything } from '../../../shared/tree-selection.ts'
import { matchingQuery } from '../calls/alarm-queries.ts'
import type { AlarmFilter } from '../filter/alarm-filter.ts'
import styles from '../parts/alarms.module.css'

const everywhere: readonly NodeKey[] = []

interface OutsideSelectionProps {
  readonly asked: AlarmFilter
  /** How many of them the selection has. */
  readonly inside: number
}

/**
 * How many alarms match outside of the selection, and a way to them: the bell counts everywhere, and who comes from
 * it must not read that there is nothing.
 */
export function OutsideSelection({ asked, inside }: OutsideSelectionProps) {
  const { t } = useTranslation('alarms')
  const all = useQuery(matchingQuery(everywhere, asked))
  const outside = (all.data ?? 0) - inside
  if (outside <= 0) return null
  return (
    <p className={styles.hint} data-testid="alarms-outside">
      {t('list.outside', { count: outside })}{' '}
      <Button type="link" size="small" onClick={showEverything}>
        {t('selection.showAll', { ns: 'common' })}
      </Button>
    </p>
  )
}
