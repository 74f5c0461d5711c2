import type { Device } from '@isotherm/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toSelectionMark } from '../../../shared/nodes/tree-selection.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { type BalancingUrl, toBalancingSearch } from '../balancing-url.ts'
import { CampaignsPanel } from '../list/campaigns-panel.tsx'
import { useCampaignList } from '../list/use-campaign-list.ts'
import type { BalancingProps } from '../page-props.ts'
import { stationsQuery } from '../queries.ts'
import { StrategiesPanel } from '../strategies/strategies-panel.tsx'
import { StationLine } from './station-line.tsx'
import styles from './stations.module.css'

/** Maximum of stations whose figures are loaded with the list. */
const MAX_LOADED = 12

/** Permissions that allow listing stations (contract, endpoints/monitoring/telemetry). */
const WATCHING = ['pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'] as const

/** List of stations, for a selection above several loops. */
export function StationsView({ kind, url, change, nodes }: BalancingProps) {
  const { t } = useTranslation('balancing')
  const mayList = useSession(({ permitted }) => WATCHING.some((permission) => permitted.has(permission)))
  const stations = useQuery({ ...stationsQuery(nodes), enabled: mayList })
  const list = useCampaignList(nodes, kind)
  return (
    <div className={styles.columns}>
      <Panel title={t('place.choose')}>
        <p className={styles.hint}>{t('place.chooseHint')}</p>
        {mayList && (
          <Answer query={stations}>
            {(found) =>
              found.length === 0 ? (
                <EmptyState title={t('place.none')} />
              ) : (
                <ul className={styles.list} aria-label={t('place.stations')} data-testid="stations">
                  {found.map((station) => (
                    <li key={station.id}>
                      <StationLine
                        station={station}
                        search={toStationSearch(url, nodes, station)}
                        isLoaded={found.length <= MAX_LOADED}
                      />
                    </li>
                  ))}
                </ul>
              )
            }
          </Answer>
        )}
      </Panel>
      <StrategiesPanel
        kind={kind}
        nodes={nodes}
        onOpen={(strategy) => change({ strategy }, { push: true })}
      />
      <CampaignsPanel kind={kind} list={list} onOpen={(campaign) => change({ campaign }, { push: true })} />
    </div>
  )
}

const toStationSearch = (url: BalancingUrl, nodes: BalancingProps['nodes'], { node }: Device): string =>
  toBalancingSearch({ ...url, at: node, of: toSelectionMark(nodes), valve: undefined }).toString()
