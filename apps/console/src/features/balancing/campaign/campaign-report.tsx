import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Printed } from '../../../shared/print/printed.tsx'
import { useSession } from '../../../shared/session/session-store.ts'
import { useModeText } from '../mode-text.ts'
import { CampaignPeople } from './campaign-head.tsx'
import { FigureTable } from './figures/figure-table.tsx'
import { TrendChart } from './figures/trend-chart.tsx'
import { WaveTable } from './figures/wave-panel.tsx'
import type { PlacedBuilding } from './map/deviation-plan.ts'
import { placesQuery } from './map/place-query.ts'
import { ReportMap } from './map/report-map.tsx'
import { ForecastCell, OpeningCell, ReturnCell, RoomCell } from './members/member-cells.tsx'
import { sortMembers } from './members/member-rows.ts'
import { HistoryList } from './parts/history-list.tsx'
import styles from './parts/report.module.css'
import { useCampaignTexts } from './parts/use-texts.ts'
import { toRoomRows } from './rooms/room-rows.ts'
import { RoomTable } from './rooms/room-table.tsx'

/** Printed report of a campaign. */
export function CampaignReport({ campaign }: { readonly campaign: CampaignDetail }): ReactNode {
  const mayMap = useSession(({ permitted }) => permitted.has('pg-gisshow'))
  // The browser does not wait for data when it prints, so all data must be loaded before.
  const places = useQuery({ ...placesQuery(campaign.node), enabled: mayMap && campaign.members.length > 0 })
  return (
    <Printed>
      <Report campaign={campaign} places={places.data ?? noPlaces} />
    </Printed>
  )
}

const noPlaces = [] as const

interface ReportProps {
  readonly campaign: CampaignDetail
  readonly places: readonly PlacedBuilding[]
}

function Report({ campaign, places }: ReportProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useCampaignTexts()
  const toModeText = useModeText()
  const { id, nestaddr, stationName, mode, state, abort, indices } = campaign
  return (
    <article className={styles.report} data-testid="campaign-report">
      <h1>
        {t('campaign.report.title')} · {t('campaign.title', { id })}
      </h1>
      <p className={styles.facts}>
        <span>{toWholeAddress(nestaddr)}</span>
        <span>
          {t('campaign.station')} {stationName}
        </span>
        <span>{toModeText(mode)}</span>
        <strong>{t(`campaignState.${state}`)}</strong>
        <span>{t('campaign.planned', { instant: format.instant(campaign.plannedAt) })}</span>
        {campaign.flows !== undefined && <span>{t(`campaign.flows.${campaign.flows}`)}</span>}
        <CampaignPeople campaign={campaign} />
        <span>{t('campaign.report.made', { instant: format.instant(Date.now()) })}</span>
      </p>
      {abort !== undefined && (
        <p>
          <strong>{t('campaign.abort.title')}</strong> {texts.abort(campaign, abort)}
        </p>
      )}
      <h2>{t('campaign.figures.title')}</h2>
      <FigureTable campaign={campaign} />
      <ReportMap campaign={campaign} places={places} />
      {toRoomRows(campaign.members).length > 0 && (
        <>
          <h2>{t('campaign.rooms.title')}</h2>
          <RoomTable campaign={campaign} />
        </>
      )}
      <h2>{t('campaign.trend.title')}</h2>
      <TrendChart campaign={campaign} />
      {campaign.steps.length > 0 && (
        <>
          <h2>{t('campaign.progress.title')}</h2>
          <WaveTable campaign={campaign} />
        </>
      )}
      <h2>{t('campaign.history.title')}</h2>
      <HistoryList history={campaign.history} />
      {campaign.members.length > 0 && (
        <>
          <h2>{t('campaign.members.title')}</h2>
          <ReportMembers campaign={campaign} hasAfter={indices.after !== undefined} />
        </>
      )}
    </article>
  )
}

interface ReportMembersProps {
  readonly campaign: Pick<CampaignDetail, 'members'>
  readonly hasAfter: boolean
}

/** All valves, independent of the filter on the screen. */
function ReportMembers({ campaign, hasAfter }: ReportMembersProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useCampaignTexts()
  const hasAfterRoom = campaign.members.some(({ after }) => after?.roomC !== undefined)
  const heads = [
    'opening',
    'return',
    ...(hasAfter ? (['returnAfter'] as const) : []),
    'room',
    ...(hasAfterRoom ? (['roomAfter'] as const) : []),
    'flow',
    ...(hasAfter ? (['flowAfter'] as const) : []),
    'note',
  ] as const
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('campaign.members.place')}</th>
          {heads.map((head) => (
            <th key={head} scope="col">
              {t(`campaign.members.${head}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sortMembers(campaign.members, 'place', false).map((member) => {
          const { deviceId, nestaddr, before, expected, after } = member
          return (
            <tr key={deviceId}>
              <th scope="row">{toCompactAddress(nestaddr)}</th>
              <td>
                <OpeningCell member={member} />
              </td>
              <td>
                <ReturnCell member={member} />
              </td>
              {hasAfter && <td>{format.number(after?.returnC, 1)}</td>}
              <td>
                <RoomCell member={member} />
              </td>
              {hasAfterRoom && <td>{format.number(after?.roomC, 1)}</td>}
              <td>
                <ForecastCell before={before.flowM3H} expected={expected.flowM3H} decimals={3} />
              </td>
              {hasAfter && <td>{format.number(after?.flowM3H, 3)}</td>}
              <td>{texts.notes(member).join(' · ')}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
