import type { IrrigationSource, IrrigationStep } from '@isotherm/contract/irrigation'

/** How a valve is drawn. */
export type ValveLook = 'stuck' | 'moving' | 'open' | 'waiting' | 'closed' | 'unknown'

export interface DrawnValve {
  readonly deviceId: number
  readonly name: string
  readonly look: ValveLook
  readonly x: number
  readonly y: number
}

export interface DrawnGroup {
  readonly id: number
  readonly name: string
  readonly isOpen: boolean
  /** Middle of its valves. */
  readonly x: number
  readonly y: number
  readonly valves: readonly DrawnValve[]
}

export interface DrawnField {
  readonly groups: readonly DrawnGroup[]
  /** Height of the drawing: as much as the ground needs. */
  readonly height: number
}

/** Width of the drawing, in its own units. */
export const FIELD_WIDTH = 640
const MAX_HEIGHT = 320
/** Room for the names above and below the valves, and beside the first and the last. */
const MARGIN = 44
const SIDE_MARGIN = 68
/** Distance of valves that share a position. */
const SPREAD = 12

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

function toLook(openingPct: number | undefined, step: IrrigationStep | undefined): ValveLook {
  if (step?.state === 'stuck' || step?.finding === 'stuck') return 'stuck'
  if (step?.state === 'opening' || step?.state === 'closing') return 'moving'
  if (openingPct !== undefined && openingPct > 0) return 'open'
  if (step?.state === 'pending') return 'waiting'
  return openingPct === undefined ? 'unknown' : 'closed'
}

/**
 * The valves of a source at their positions on the ground, north at the top, scaled to the drawing. Valves at one position, also of
 * several groups, are drawn around it. Without groups if no valve has a position.
 */
export function layOutField({ groups, runs }: Pick<IrrigationSource, 'groups' | 'runs'>): DrawnField {
  const placed = groups.flatMap((group) =>
    group.valves.flatMap((valve) => (valve.position ? [{ group, valve, position: valve.position }] : [])),
  )
  const [first] = placed
  if (!first) return { groups: [], height: 0 }
  const eastWest = Math.cos(toRadians(first.position.latitudeDeg))
  const ground = placed.map(({ position, ...rest }) => ({
    ...rest,
    x: position.longitudeDeg * eastWest,
    y: -position.latitudeDeg,
  }))
  const [west, east] = [Math.min(...ground.map(({ x }) => x)), Math.max(...ground.map(({ x }) => x))]
  const [north, south] = [Math.min(...ground.map(({ y }) => y)), Math.max(...ground.map(({ y }) => y))]
  const scale = Math.min(
    (FIELD_WIDTH - 2 * SIDE_MARGIN) / Math.max(east - west, 1e-9),
    (MAX_HEIGHT - 2 * MARGIN) / Math.max(south - north, 1e-9),
  )
  const height = Math.min(MAX_HEIGHT, (south - north) * scale + 2 * MARGIN)
  const toX = (x: number): number => FIELD_WIDTH / 2 + (x - (west + east) / 2) * scale
  const toY = (y: number): number => height / 2 + (y - (north + south) / 2) * scale
  const steps = runs.flatMap((run) => run.steps)
  const stepOf = (deviceId: number): IrrigationStep | undefined => {
    const own = steps.filter(({ valveIds }) => valveIds.includes(deviceId))
    return (
      own.find(({ state }) => !['pending', 'closed', 'skipped'].includes(state)) ??
      own.find(({ state }) => state === 'pending')
    )
  }
  const drawn = groups.flatMap((group): DrawnGroup[] => {
    const own = ground.filter((one) => one.group === group)
    if (own.length === 0) return []
    const valves = own.map(({ valve, x, y }): DrawnValve => {
      const beside = ground.filter((one) => one.x === x && one.y === y)
      const angle = (2 * Math.PI * beside.findIndex((one) => one.valve === valve)) / beside.length
      const radius = beside.length > 1 ? SPREAD * Math.max(1, beside.length / 4) : 0
      return {
        deviceId: valve.deviceId,
        name: valve.deviceName,
        look: toLook(valve.openingPct, stepOf(valve.deviceId)),
        x: toX(x) + radius * Math.cos(angle),
        y: toY(y) + radius * Math.sin(angle),
      }
    })
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    return [
      {
        id: group.id,
        name: group.name,
        isOpen: valves.some(({ look }) => look === 'open' || look === 'moving'),
        x: mean(valves.map(({ x }) => x)),
        y: mean(valves.map(({ y }) => y)),
        valves,
      },
    ]
  })
  return { groups: drawn, height }
}
