import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
import type { NetworkFigures, PresenceCounts } from '@isotherm/contract/network/network-figures'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMaySeeFindings } from '../../shared/devices/device-findings.tsx'
import { ABSENT, withUnit } from '../../shared/format/numbers.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { useRefetchOnReturn } from '../../shared/live/use-refetch-on-return.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { Figure, Panel } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import { AlarmsPanel } from './alarms-panel.tsx'
import { CampaignsPanel, useMaySeeCampaigns } from './campaigns-panel.tsx'
import styles from './dashboard.module.css'
import { Distribution } from './distribution.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { figuresQuery, homeKey } from './queries.ts'
import { RecentCommands } from './recent-commands.tsx'
import { RolePanels } from './roles/role-panels.tsx'
import { StationTable } from './station-table.tsx'

const AGE_EVERY_S = 5

/** Overview of the network, polled while visible. */
export function Overview({ isNew }: Pick<NodesProps, 'isNew'>) {
  const nodes = useSelectedNodes()
  return nodes ? <NetworkNow nodes={nodes} isNew={isNew} /> : <SelectionGone />
}

interface NodesProps {
  readonly nodes: readonly NodeKey[]
  /** The page already shows what a new installation lacks. */
  readonly isNew: boolean
}

function NetworkNow({ nodes, isNew }: NodesProps) {
  const figures = useQuery(figuresQuery(nodes))
  useRefetchOnReturn(homeKey)
  return <Answer query={figures}>{(known) => <Panels nodes={nodes} isNew={isNew} figures={known} />}</Answer>
}

const hasDevices = ({ valves, meters, rooms, stations }: NetworkFigures): boolean =>
  valves.total + meters.total + rooms.total + stations.total > 0

function Panels({ nodes, isNew, figures }: NodesProps & FiguresProps) {
  const { t } = useTranslation('dashboard')
  const mayAlarms = useIsPermitted('pr-rtalarm')
  const mayCampaigns = useMaySeeCampaigns()
  const mayFindings = useMaySeeFindings()
  const now = useNow(AGE_EVERY_S)
  if (!hasDevices(figures)) return isNew ? null : <EmptyState title={t('noDevices')} />
  return (
    <div className={styles.grid}>
      {mayAlarms && <AlarmsPanel nodes={nodes} />}
      {mayCampaigns && <CampaignsPanel nodes={nodes} />}
      <RolePanels nodes={nodes} />
      <ValvesPanel figures={figures} />
      {figures.rooms.total > 0 && <RoomsPanel figures={figures} />}
      {figures.meters.total > 0 && <HeatPanel figures={figures} />}
      {figures.stations.total > 0 && (
        <Panel title={t('tile.stations')} className={styles.wide ?? ''}>
          <StationTable stations={figures.stations} now={now} />
        </Panel>
      )}
      {mayFindings && <FindingsPanel nodes={nodes} />}
      <CommandsPanel nodes={nodes} />
    </div>
  )
}

interface FiguresProps {
  readonly figures: NetworkFigures
}

function ValvesPanel({ figures }: FiguresProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const mayOpen = useIsPermitted('pe-fmreal')
  const { valves, returnTemps } = figures
  const kelvin = (value: number | undefined) => {
    const text = format.number(value, 2)
    return text === ABSENT ? text : withUnit(text, 'K')
  }
  return (
    <Panel
      title={t('tile.returns')}
      className={styles.wide ?? ''}
      extra={mayOpen && <Link to="/ewph/fmreal">{t('open')}</Link>}
    >
      <div className={styles.figures}>
        <Figure label={t('tile.valves')} value={format.number(valves.total, 0)} testId="home-valves" />
        <Figure label={t('figure.online')} value={format.number(valves.online, 0)} testId="home-online" />
        <Figure label={t('figure.offline')} value={format.number(valves.silent, 0)} testId="home-offline" />
        {valves.unknown > 0 && (
          <Figure
            label={t('figure.unknown')}
            value={format.number(valves.unknown, 0)}
            testId="home-unknown"
          />
        )}
        <Figure label={t('figure.meanReturn')} value={format.metric('temp.return', returnTemps?.mean)} />
        <Figure label={t('figure.spread')} value={kelvin(returnTemps?.deviation)} testId="home-sigma" />
        <Figure
          label={t('figure.range')}
          value={kelvin(returnTemps ? returnTemps.p95 - returnTemps.p5 : undefined)}
        />
      </div>
      <Distribution values={returnTemps} label={t('tile.returns')} />
    </Panel>
  )
}

function RoomsPanel({ figures }: FiguresProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { warmShare, roomTemps } = figures
  const share = format.number(warmShare === null ? undefined : warmShare * 100, 1)
  const limit = format.metric('temp.room', LEGAL_ROOM_C)
  return (
    <Panel title={t('tile.rooms')} extra={<Reporting presence={figures.rooms} />}>
      <div className={styles.figures}>
        <Figure
          label={t('figure.warmShare', { limit })}
          value={share === ABSENT ? share : withUnit(share, '%')}
          testId="home-rooms"
        />
        <Figure label={t('figure.median')} value={format.metric('temp.room', roomTemps?.median)} />
      </div>
      <Distribution values={roomTemps} label={t('tile.rooms')} limitC={LEGAL_ROOM_C} />
    </Panel>
  )
}

function HeatPanel({ figures }: FiguresProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  return (
    <Panel title={t('tile.heat')} extra={<Reporting presence={figures.meters} />}>
      <div className={styles.figures}>
        <Figure
          label={t('figure.power')}
          value={format.metric('heat.power', figures.powerKw ?? undefined)}
          testId="home-power"
        />
      </div>
    </Panel>
  )
}

function CommandsPanel({ nodes }: Pick<NodesProps, 'nodes'>) {
  const { t } = useTranslation('dashboard')
  const mayOpen = useIsPermitted('pe-fmcontrol')
  return (
    <Panel
      title={t('tile.commands')}
      className={styles.wide ?? ''}
      extra={mayOpen && <Link to="/ewph/fmcontrol">{t('open')}</Link>}
    >
      <RecentCommands nodes={nodes} />
    </Panel>
  )
}

function Reporting({ presence }: { readonly presence: PresenceCounts }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const online = format.number(presence.online, 0)
  const total = format.number(presence.total, 0)
  return <span className={styles.hint}>{t('figure.reporting', { online, total })}</span>
}
