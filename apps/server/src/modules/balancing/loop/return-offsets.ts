import type { EmitterKind } from '@isotherm/contract/network/emitters'

/** How much colder water comes back from a floor than from radiators that keep their rooms alike, by design, K. */
const FLOOR_OFFSET_K = -1

/** How far the return of a consumer is meant to be from that of radiators, K. */
export const returnOffsetOf = (emitter: EmitterKind): number => (emitter === 'floor' ? FLOOR_OFFSET_K : 0)

/** The same of all consumers of a loop, or of a part of it. */
export const returnOffsetsOf = ({
  consumers,
}: {
  readonly consumers: readonly { readonly emitter: EmitterKind }[]
}): Float64Array => Float64Array.from(consumers, ({ emitter }) => returnOffsetOf(emitter))
