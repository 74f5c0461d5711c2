import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import styles from '../dashboard.module.css'
import { openVisitsQuery } from '../queries.ts'

const AGE_EVERY_S = 60

/** Complaints that wait for a measuring visit; the panel leads to their list. Hidden while there are none. */
export function VisitsPanel({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const now = useNow(AGE_EVERY_S)
  const visits = useQuery(openVisitsQuery(nodes))
  const total = visits.data?.total
  if (total === 0) return null
  return (
    <Panel
      title={total === undefined ? t('tile.visits') : t('tile.visitsCount', { count: total })}
      className={styles.wide ?? ''}
      extra={<Link to="/rtjc/rtalarm?section=visits">{t('open')}</Link>}
    >
      <Answer query={visits}>
        {({ datalist }) => (
          <ul className={styles.lines} data-testid="home-visits">
            {datalist.map(({ visit, nestaddr, complaint, requestedAt }) => (
              <li key={visit}>
                <span className={styles.place} title={toWholeAddress(nestaddr)}>
                  {toCompactAddress(nestaddr)}
                </span>
                <span>{complaint}</span>
                <span className={styles.hint}>{format.age(requestedAt, now)}</span>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Panel>
  )
}
