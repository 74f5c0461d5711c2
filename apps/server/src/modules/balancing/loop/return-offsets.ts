import type { EmitterKind } from '@isotherm/contract/network/emitters'

/** Design difference between the returns of floor heating and of radiators with equal rooms, K. */
const FLOOR_OFFSET_K = -1

/** Target offset of a consumer's return from that of radiators, K. */
export const returnOffsetOf = (emitter: EmitterKind): number => (emitter === 'floor' ? FLOOR_OFFSET_K : 0)

/** Offsets of all consumers of a loop, or of a part of it. */
export const returnOffsetsOf = ({
  consumers,
}: {
  readonly consumers: readonly { readonly emitter: EmitterKind }[]
}): Float64Array => Float64Array.from(consumers, ({ emitter }) => returnOffsetOf(emitter))
