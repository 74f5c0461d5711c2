import { z } from 'zod'

/** What a pipe is made of, which says how rough it is where nobody has measured it. */
export const pipeMaterial = z.enum(['steel', 'copper', 'pe-rt', 'pb', 'pp-r'])
export type PipeMaterial = z.infer<typeof pipeMaterial>

/** What a number of a pipe may be; importing holds to it too. */
export const pipeRanges = {
  lengthM: { least: 0.1, most: 20_000 },
  innerDiameterMm: { least: 5, most: 2_000 },
  roughnessMm: { least: 0, most: 10 },
  laidYear: { least: 1900, most: 2100 },
} as const

const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.number().min(least).max(most)

/** What is recorded of a trench with one supply and one return pipe between two nodes of the tree. */
export const pipeRecord = z.object({
  /** Of the trench, which each of the two pipes is long. */
  lengthM: within(pipeRanges.lengthM),
  innerDiameterMm: within(pipeRanges.innerDiameterMm),
  material: pipeMaterial,
  /** Of the wall inside; null where it is as usual for the material. */
  roughnessMm: within(pipeRanges.roughnessMm).nullable().default(null),
  laidYear: within(pipeRanges.laidYear).int().nullable().default(null),
})
export type PipeRecord = z.infer<typeof pipeRecord>
