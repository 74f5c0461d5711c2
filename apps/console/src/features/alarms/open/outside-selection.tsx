import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { showEverything } from '../../../shared/nodes/tree-selection.ts'
import { matchingQuery } from '../calls/alarm-queries.ts'
import type { AlarmFilter } from '../filter/alarm-filter.ts'
import styles from '../parts/alarms.module.css'

const everywhere: readonly NodeKey[] = []

interface OutsideSelectionProps {
  readonly request: AlarmFilter
  /** Number of matching alarms inside the selection. */
  readonly inside: number
}

/**
 * Number of matching alarms outside the selection, with a button that shows them. The bell counts all alarms, so a user who
 * follows it must not see an empty page.
 */
export function OutsideSelection({ request, inside }: OutsideSelectionProps) {
  const { t } = useTranslation('alarms')
  const all = useQuery(matchingQuery(everywhere, request))
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
