import type { IrrigationSource } from '@isotherm/contract/irrigation'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import styles from '../dashboard.module.css'
import { irrigationQuery } from '../queries.ts'

/** Each source of water with what runs, what comes next and what is wrong. Hidden while there is none. */
export function IrrigationPanel({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const irrigation = useQuery(irrigationQuery(nodes))
  if (irrigation.data?.datalist.length === 0) return null
  return (
    <Panel
      title={t('tile.irrigation')}
      className={styles.wide ?? ''}
      extra={irrigation.data && <Link to="/ewph/irrreal">{t('open')}</Link>}
    >
      <Answer query={irrigation}>
        {({ datalist }) => (
          <ul className={styles.lines} data-testid="home-irrigation">
            {datalist.map((source) => (
              <SourceItem key={source.id} source={source} />
            ))}
          </ul>
        )}
      </Answer>
    </Panel>
  )
}

function SourceItem({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { name, runs, next, leak, halt, usedTodayM3, timeZone } = source
  const coming = next.find(({ steps }) => steps.length > 0)
  return (
    <li>
      <strong>{name}</strong>
      {leak && <span className="badge badge-alarm">{t('irrigation.leak')}</span>}
      {halt && <span className="badge badge-alarm">{t('irrigation.halt')}</span>}
      {runs.map((run) => (
        <span key={run.id} className="badge badge-accent">
          {t('irrigation.running', { name: run.name })}
        </span>
      ))}
      {runs.length === 0 && (
        <span className={styles.place}>
          {coming
            ? t('irrigation.next', { at: format.moment(coming.startMs, timeZone) })
            : t('irrigation.noNext')}
        </span>
      )}
      <span className={styles.hint}>{t('irrigation.used', { value: format.number(usedTodayM3, 1) })}</span>
    </li>
  )
}
