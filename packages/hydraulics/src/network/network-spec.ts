import type { KilogramPerSecond, Metre, PascalGauge, Resistance } from '@isotherm/kernel/quantities'
import type { FrictionLaw } from '../elements/friction.ts'
import type { PumpCurve } from '../elements/pump.ts'
import type { Fluid } from '../elements/water.ts'

/** A junction of links. */
export interface NodeSpec {
  readonly height: Metre
  /** If given, the node has this pressure and supplies or takes any flow for it. */
  readonly pressure?: PascalGauge
  /** Outflow of the network at this node; negative for inflow. Ignored if the pressure is given. */
  readonly demand: KilogramPerSecond
}

/** A connection; its flow counts as positive from `from` to `to`. */
export type LinkSpec = { readonly from: number; readonly to: number } & (
  | {
      readonly kind: 'pipe'
      readonly length: Metre
      readonly innerDiameter: Metre
      readonly roughness: Metre
      /** Sum of local loss coefficients ζ. */
      readonly localLoss: number
      /** The water in this pipe if it differs from the network's, for example warmer and lighter. */
      readonly fluid?: Fluid
    }
  /** Anything with Δp = S·ṁ²: a valve, a radiator circuit. 0 is fully open without loss, Infinity is shut. */
  | { readonly kind: 'resistor'; readonly resistance: Resistance }
  /** A pump with its check valve; at a relative speed of 0 it is shut. */
  | { readonly kind: 'pump'; readonly curve: PumpCurve; readonly speed: number }
)

export interface NetworkSpec {
  readonly nodes: readonly NodeSpec[]
  readonly links: readonly LinkSpec[]
  readonly fluid: Fluid
  readonly friction: FrictionLaw
}

/** An error in a description, and its place. */
export type NetworkMistake =
  /** Height, demand or given pressure is not a finite number. */
  | { readonly kind: 'bad-node'; readonly node: number }
  /** A size is negative, not finite, or an invalid zero; roughness is as wide as the pipe; or both ends are the same node. */
  | { readonly kind: 'bad-link'; readonly link: number }
  | { readonly kind: 'unknown-node'; readonly link: number }
  /** The pump's head rises with its flow somewhere (h1 > 0 or h2 < 0 by more than rounding), so its duty point is not unique. */
  | { readonly kind: 'rising-pump'; readonly link: number }
  /** Density or viscosity is not above zero. */
  | { readonly kind: 'bad-fluid' }
  /** No node has a given pressure, so the pressures are not determined. */
  | { readonly kind: 'no-pressure' }

const isNodeSound = ({ height, pressure, demand }: NodeSpec): boolean =>
  [height, pressure ?? 0, demand].every(Number.isFinite)

const isSize = (...values: readonly number[]): boolean =>
  values.every((value) => Number.isFinite(value) && value >= 0)

/** Friction data of a link; all zero for a link that is not a pipe. */
const noPipe = { frictionScale: 0, reynoldsScale: 0, relativeRoughness: 0, local: 0, lightness: 0 }

/** Coefficients of Δp and Re: S = (8/ρπ²D⁴)·(λL/D + ζ), Re = 4ṁ/(πDμ); and the density difference to the network's water, kg/m³. */
export function toCoefficients(link: LinkSpec, fluid: Fluid): typeof noPipe {
  if (link.kind !== 'pipe') return noPipe
  const { length, innerDiameter, roughness, localLoss } = link
  const { densityKgM3, viscosityPaS } = link.fluid ?? fluid
  const dynamic = 8 / (densityKgM3 * Math.PI ** 2 * innerDiameter ** 4)
  return {
    frictionScale: (dynamic * length) / innerDiameter,
    reynoldsScale: 4 / (Math.PI * innerDiameter * viscosityPaS),
    relativeRoughness: roughness / innerDiameter,
    local: dynamic * localLoss,
    lightness: fluid.densityKgM3 - densityKgM3,
  }
}

const isFluidSound = ({ densityKgM3, viscosityPaS }: Fluid): boolean =>
  [densityKgM3, viscosityPaS].every((value) => Number.isFinite(value) && value > 0)

function isLinkSound(link: LinkSpec, fluid: Fluid): boolean {
  if (link.from === link.to) return false
  if (link.kind === 'resistor') return link.resistance >= 0
  if (link.kind === 'pump') {
    const { h0, h1, h2 } = link.curve
    return isSize(h0, link.speed) && Number.isFinite(h1) && Number.isFinite(h2)
  }
  if (!(link.innerDiameter > 0) || !isFluidSound(link.fluid ?? fluid)) return false
  const { frictionScale, reynoldsScale, relativeRoughness, local } = toCoefficients(link, fluid)
  return (
    isSize(link.length, link.roughness, link.localLoss) &&
    link.roughness < link.innerDiameter &&
    isSize(frictionScale, reynoldsScale, relativeRoughness, local)
  )
}

/** Rounding of h1 and h2 that come from a difference of heads, as a share of the shut-off head. */
const ROUNDING = 1e-13

function isRising({ h0, h1, h2 }: PumpCurve): boolean {
  const rounding = ROUNDING * Math.max(1, h0)
  return h1 > rounding || h2 < -rounding
}

/** The first error of a description; undefined if it is valid. */
export function findMistake({ nodes, links, fluid }: NetworkSpec): NetworkMistake | undefined {
  if (!isFluidSound(fluid)) return { kind: 'bad-fluid' }
  const node = nodes.findIndex((spec) => !isNodeSound(spec))
  if (node >= 0) return { kind: 'bad-node', node }
  const lost = links.findIndex(({ from, to }) => nodes[from] === undefined || nodes[to] === undefined)
  if (lost >= 0) return { kind: 'unknown-node', link: lost }
  const unsound = links.findIndex((link) => !isLinkSound(link, fluid))
  if (unsound >= 0) return { kind: 'bad-link', link: unsound }
  const rising = links.findIndex((link) => link.kind === 'pump' && isRising(link.curve))
  if (rising >= 0) return { kind: 'rising-pump', link: rising }
  return nodes.some(({ pressure }) => pressure !== undefined) ? undefined : { kind: 'no-pressure' }
}
