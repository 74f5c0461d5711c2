import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '@isotherm/kernel/random'
import { z } from 'zod'
import { createMutator } from './mutate.testkit.ts'

/** A reader of foreign bytes. */
export interface FuzzTarget {
  readonly name: string
  /** Sound inputs, from which the others are made. */
  readonly seeds: readonly (string | Buffer)[]
  /** Words of the format. */
  readonly words: readonly string[]
  /** The outcome of the input, in a few words: a new one is worth changing further. Throws for a fault of the reader only. */
  run(input: Buffer): string | Promise<string>
}

export interface FuzzRun {
  readonly inputs: number
  /** Different outcomes. */
  readonly outcomes: number
  /** Longest time of one input, ms. */
  readonly slowestMs: number
  /** Inputs of outcomes that none of the given cases had. */
  readonly found: readonly Buffer[]
}

/** Inputs that are changed further: seeds, cases, and those with a new outcome. */
const MAX_CORPUS = 5_000

const casesFile = join(import.meta.dirname, 'cases.json')
const casesSchema = z.record(z.string(), z.array(z.base64()))

/** Inputs that once were a fault, or had an outcome that no other had, by target. */
export function readCases(target: string): readonly Buffer[] {
  const cases = casesSchema.parse(JSON.parse(readFileSync(casesFile, 'utf8')))
  return (cases[target] ?? []).map((text) => Buffer.from(text, 'base64'))
}

/** Adds inputs to the cases of a target, which every later run tries first. */
export function addCases(target: string, inputs: readonly Buffer[]): void {
  const cases = casesSchema.parse(JSON.parse(readFileSync(casesFile, 'utf8')))
  const texts = new Set([...(cases[target] ?? []), ...inputs.map((input) => input.toString('base64'))])
  writeFileSync(casesFile, `${JSON.stringify({ ...cases, [target]: [...texts] }, undefined, 2)}\n`)
}

/** Makes texts with different numbers one outcome. */
const toOutcome = (text: string): string => text.replaceAll(/\d+/g, '#').slice(0, 120)

/** Runs a target with its cases and seeds, and then with changed ones; the corpus grows by inputs with a new outcome. */
export async function fuzz(
  target: FuzzTarget,
  {
    seed,
    inputs,
    onFault,
  }: { readonly seed: number; readonly inputs: number; readonly onFault?: (input: Buffer) => void },
): Promise<FuzzRun> {
  const random = createRandom(seed)
  const mutate = createMutator(random, target.words)
  const corpus = [...readCases(target.name), ...target.seeds.map((given) => Buffer.from(given))]
  const outcomes = new Set<string>()
  const found: Buffer[] = []
  let slowestMs = 0

  async function tryOne(input: Buffer): Promise<boolean> {
    const from = performance.now()
    try {
      const outcome = toOutcome(await target.run(input))
      const isNew = !outcomes.has(outcome)
      outcomes.add(outcome)
      return isNew
    } catch (cause) {
      onFault?.(input)
      const text = `${target.name}, seed ${seed}: ${JSON.stringify(input.toString('latin1'))} is a fault`
      throw new Error(text, { cause })
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - from)
    }
  }

  for (const input of corpus) await tryOne(input)
  const pick = (): Buffer => corpus[Math.floor(random() * corpus.length)] ?? Buffer.alloc(0)
  for (let count = 0; count < inputs; count += 1) {
    const input = mutate(pick(), pick())
    if (!(await tryOne(input))) continue
    found.push(input)
    if (corpus.length < MAX_CORPUS) corpus.push(input)
  }
  return { inputs, outcomes: outcomes.size, slowestMs, found }
}
