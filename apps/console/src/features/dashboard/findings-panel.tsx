import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FindingBadge } from '../../shared/devices/device-findings.tsx'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { Panel } from '../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import styles from './dashboard.module.css'
import { openFindingsQuery } from './queries.ts'

/** Devices whose readings contradict physics now, newest first; each leads to its debugging page. */
export function FindingsPanel({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const mayDebug = useIsPermitted('pd-devdebug')
  const findings = useQuery(openFindingsQuery(nodes))
  const total = findings.data?.total
  return (
    <Panel
      title={t('tile.findings')}
      className={styles.wide ?? ''}
      extra={
        total !== undefined &&
        total > 0 && <span className={styles.hint}>{t('figure.findings', { count: total })}</span>
      }
    >
      <Answer query={findings}>
        {({ datalist }) =>
          datalist.length === 0 ? (
            <EmptyState title={t('noFindings')} />
          ) : (
            <ul className={styles.lines} data-testid="home-findings">
              {datalist.map((finding) => (
                <li key={finding.id}>
                  {mayDebug ? (
                    <Link to={`/dev/devdebug?id=${finding.deviceId}`}>{finding.name}</Link>
                  ) : (
                    <span>{finding.name}</span>
                  )}
                  <span className={styles.place} title={toWholeAddress(finding.nestaddr)}>
                    {toCompactAddress(finding.nestaddr)}
                  </span>
                  <FindingBadge finding={finding} />
                  <span className={styles.hint}>{format.instant(finding.since)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Panel>
  )
}
