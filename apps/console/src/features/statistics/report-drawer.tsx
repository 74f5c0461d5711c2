import type { ReportRow } from '@isotherm/contract/endpoints/monitoring/statistics'
import { listFigures, type ReportName } from '@isotherm/contract/statistics/reports'
import { Button } from 'antd'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../shared/format/address.ts'
import { useNodePages } from '../../shared/nodes/node-pages.ts'
import { SideDrawer } from '../../shared/ui/side-drawer.tsx'
import { ChangeBadge } from './change-badge.tsx'
import { Coverage } from './coverage.tsx'
import styles from './statistics.module.css'
import { useFigureText } from './use-figure-text.ts'

const WIDTH_PX = 420

interface ReportDrawerProps {
  readonly report: ReportName
  readonly row: ReportRow | undefined
  readonly onClose: () => void
}

/** One place of the ranking, with the pages that list what is behind its figures. */
export function ReportDrawer({ report, row, onClose }: ReportDrawerProps) {
  const { t } = useTranslation('statistics')
  const { t: tMenu } = useTranslation()
  const text = useFigureText()
  const { pages, open } = useNodePages()
  return (
    <SideDrawer isWanted={row !== undefined} title={row?.name} widthPx={WIDTH_PX} isSheet onClose={onClose}>
      {row && (
        <div className={styles.drawer} data-testid="report-drawer">
          <p className={styles.hint}>{toWholeAddress(row.nestaddr)}</p>
          <dl className={styles.facts}>
            {listFigures(report).map(([name, figure]) => (
              <div key={name}>
                <dt>{t(`figure.${name}`)}</dt>
                <dd>
                  {text.withUnit(figure, row.now.figures[name])}{' '}
                  <ChangeBadge
                    figure={figure}
                    now={row.now.figures[name]}
                    before={row.before?.figures[name]}
                  />
                </dd>
              </div>
            ))}
            <div>
              <dt>{t('coverage')}</dt>
              <dd>
                <Coverage of={row.now} />
              </dd>
            </div>
          </dl>
          <h3>{t('row.pages')}</h3>
          <nav className={styles.pages} aria-label={t('row.pages')}>
            {pages.map(({ path, nodeAction, icon }) => (
              <Button key={path} icon={icon && createElement(icon)} onClick={() => open(path, row.chain)}>
                {nodeAction?.(tMenu)}
              </Button>
            ))}
          </nav>
        </div>
      )}
    </SideDrawer>
  )
}
