import { z } from 'zod'

/** Material of a pipe. It gives the roughness if none is recorded. */
export const pipeMaterial = z.enum(['steel', 'copper', 'pe-rt', 'pb', 'pp-r'])
export type PipeMaterial = z.infer<typeof pipeMaterial>

/** Valid ranges of a pipe's numbers, for calls and imports. */
export const pipeRanges = {
  lengthM: { min: 0.1, max: 20_000 },
  innerDiameterMm: { min: 5, max: 2_000 },
  roughnessMm: { min: 0, max: 10 },
  laidYear: { min: 1900, max: 2100 },
} as const

const within = ({ min, max }: { readonly min: number; readonly max: number }) => z.number().min(min).max(max)

/** Record of a trench with one supply pipe and one return pipe between two nodes of the tree. */
export const pipeRecord = z.object({
  /** Length of the trench, which is the length of each of the two pipes. */
  lengthM: within(pipeRanges.lengthM),
  innerDiameterMm: within(pipeRanges.innerDiameterMm),
  material: pipeMaterial,
  /** Roughness of the inner wall; null for the usual value of the material. */
  roughnessMm: within(pipeRanges.roughnessMm).nullable().default(null),
  laidYear: within(pipeRanges.laidYear).int().nullable().default(null),
})
export type PipeRecord = z.infer<typeof pipeRecord>
