import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ABSENT, withUnit } from '../../shared/format/numbers.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { useRefusalText } from '../../shared/live/refusal-text.ts'
import { useLiveCommands, useLiveStates } from '../../shared/live/use-live.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { useSelectedNodes } from '../../shared/tree-selection.ts'
import { Figure, Panel } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { AlarmsPanel } from './alarms-panel.tsx'
import styles from './dashboard.module.css'
import { Distribution } from './distribution.tsx'
import { computeFigures, LEGAL_ROOM_C, type NetworkFigures, type Presence } from './network-figures.ts'
import { devicesQuery, recentCommandsKey, watchedKinds } from './queries.ts'
import { RecentCommands } from './recent-commands.tsx'
import { StationTable } from './station-table.tsx'

const JUDGE_EVERY_S = 5
const NO_DEVICES = [] as const

/** The network at a glance, live. */
export function Overview() {
  const nodes = useSelectedNodes()
  return nodes ? <NetworkNow nodes={nodes} /> : <SelectionGone />
}

interface NodesProps {
  readonly nodes: readonly NodeKey[]
}

function NetworkNow({ nodes }: NodesProps) {
  const { t } = useTranslation('dashboard')
  const devices = useQuery(devicesQuery(nodes))
  const live = useLiveStates({ nodes, kinds: watchedKinds })
  const toRefusalText = useRefusalText()
  const mayAlarms = useIsPermitted('pr-rtalarm')
  const now = useNow(JUDGE_EVERY_S)
  const client = useQueryClient()
  useLiveCommands(() => client.invalidateQueries({ queryKey: recentCommandsKey }))
  const known = devices.data ?? NO_DEVICES
  const figures = useMemo(() => computeFigures(known, live.states, now), [known, live.states, now])
  if (devices.isError) return <ErrorState error={devices.error} onRetry={() => devices.refetch()} />
  if (live.refused) return <EmptyState title={toRefusalText(live.refused)} />
  if (devices.isPending || !live.ready) return <LoadingState />
  if (devices.data.length === 0) return <EmptyState title={t('noDevices')} />
  return (
    <div className={styles.grid}>
      {mayAlarms && <AlarmsPanel nodes={nodes} />}
      <ValvesPanel figures={figures} />
      {figures.rooms.total > 0 && <RoomsPanel figures={figures} />}
      {figures.meters.total > 0 && <HeatPanel figures={figures} />}
      {figures.stations.length > 0 && (
        <Panel title={t('tile.stations')} className={styles.wide ?? ''}>
          <StationTable stations={figures.stations} now={now} />
        </Panel>
      )}
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
  const { valves, returnSpread } = figures
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
        <Figure label={t('figure.stale')} value={format.number(valves.stale, 0)} />
        <Figure label={t('figure.meanReturn')} value={format.metric('temp.return', returnSpread?.mean)} />
        <Figure label={t('figure.spread')} value={kelvin(returnSpread?.deviation)} testId="home-sigma" />
        <Figure
          label={t('figure.range')}
          value={kelvin(returnSpread && returnSpread.p95 - returnSpread.p5)}
        />
      </div>
      <Distribution valuesC={figures.returnsC} widthK={1} label={t('tile.returns')} />
    </Panel>
  )
}

function RoomsPanel({ figures }: FiguresProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { warmShare, roomSpread } = figures
  const share = format.number(warmShare === undefined ? undefined : warmShare * 100, 1)
  const limit = format.metric('temp.room', LEGAL_ROOM_C)
  return (
    <Panel title={t('tile.rooms')} extra={<Reporting presence={figures.rooms} />}>
      <div className={styles.figures}>
        <Figure
          label={t('figure.warmShare', { limit })}
          value={share === ABSENT ? share : withUnit(share, '%')}
          testId="home-rooms"
        />
        <Figure label={t('figure.median')} value={format.metric('temp.room', roomSpread?.median)} />
      </div>
      <Distribution valuesC={figures.roomsC} widthK={1} label={t('tile.rooms')} limitC={LEGAL_ROOM_C} />
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
          value={format.metric('heat.power', figures.totalPowerKw)}
          testId="home-power"
        />
      </div>
    </Panel>
  )
}

function CommandsPanel({ nodes }: NodesProps) {
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

function Reporting({ presence }: { readonly presence: Presence }) {
  const { t } = useTranslation('dashboard')
  return (
    <span className={styles.hint}>
      {t('figure.reporting', { online: presence.online, total: presence.total })}
    </span>
  )
}
