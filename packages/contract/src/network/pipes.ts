import { z } from 'zod'

/** Material of a pipe. It gives the roughness if none is recorded. */
export const pipeMaterial = z.enum(['steel', 'copper', 'pe-rt', 'pb', 'pp-r'])
export type PipeMaterial = z.infer<typeof pipeMaterial>

/** Valid ranges of a pipe's numbers, for calls and imports. */
export const pipeRanges = {
  lengthM: { least: 0.1, most: 20_000 },
  innerDiameterMm: { least: 5, most: 2_000 },
  roughnessMm: { least: 0, most: 10 },
  laidYear: { least: 1900, most: 2100 },
} as const

const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.number().min(least).max(most)

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
