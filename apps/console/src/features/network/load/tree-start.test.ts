import type { Group } from '@isotherm/contract/endpoints/network'
import { describe, expect, test } from 'vitest'
import { createCompany, createWorld, keysBelow } from './tree-samples.testkit.ts'
import type { TreeSource } from './tree-source.ts'
import { createTreeStart, openFirst } from './tree-start.ts'

/** A first load on the sample company, with what it told. */
function createBench(change: Partial<TreeSource> = {}) {
  const world = createWorld(createCompany(), change)
  const told: string[] = []
  const { start, touch } = createTreeStart({
    settle: () => void told.push('settled'),
    onDone: () => void told.push('done'),
    onFail: () => void told.push('failed'),
  })
  return { ...world, told, touch, begin: () => start(() => openFirst(world.tree, world.loader)) }
}

/** Groups that come, or do not, when the test says so. */
function holdGroups() {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<readonly Group[]>()
  const listGroups = () => {
    asked.resolve()
    return answer.promise
  }
  return { change: { listGroups }, asked: asked.promise, answer }
}

const leaving = new DOMException('The page is being left', 'AbortError')

describe('the first load', () => {
  test('opens what there is only one of, down to the first choice, and is kept', async () => {
    const { tree, at, told, begin } = createBench()
    await begin()
    expect(keysBelow(tree, at('4'))).toEqual(['5', '6'])
    expect(tree.isExpanded(at('4'))).toBe(true)
    expect(told).toEqual(['settled', 'done'])
  })

  test('cut short by leaving the page is not kept: what is missing would be taken for closed', async () => {
    const { change, asked, answer } = holdGroups()
    const { told, begin } = createBench(change)
    const started = begin()
    await asked
    answer.reject(leaving)
    await started
    expect(told).toEqual(['done'])
  })

  test('cut short by the sign-out is not kept', async () => {
    const { change, asked, answer } = holdGroups()
    const { told, begin, loader } = createBench(change)
    const started = begin()
    await asked
    loader.close()
    answer.resolve(createCompany().groups)
    await started
    expect(told).toEqual(['done'])
  })

  test('that fails may be done again, and is kept then', async () => {
    let fails = true
    const { told, begin } = createBench({
      async listProjects() {
        if (fails) throw new Error('the server is away')
        return { list: createCompany().projects, total: 1 }
      },
    })
    await begin()
    expect(told).toEqual(['failed'])
    fails = false
    await begin()
    expect(told).toEqual(['failed', 'settled', 'done'])
  })

  test('asked for twice is done once', async () => {
    const { asked, begin } = createBench()
    await Promise.all([begin(), begin()])
    expect(asked.filter((each) => each.startsWith('projects'))).toHaveLength(1)
  })
})

describe('what the user does himself', () => {
  test('is kept from then on, also after a start that failed', async () => {
    const { told, begin, touch } = createBench({ listGroups: () => Promise.reject(new Error('failed')) })
    await begin()
    expect(told).toEqual(['done'])
    touch()
    expect(told).toEqual(['done', 'settled'])
  })

  test('while the start goes on is not kept unless that comes to its end', async () => {
    const { change, asked, answer } = holdGroups()
    const { told, begin, touch } = createBench(change)
    const started = begin()
    await asked
    touch()
    answer.reject(leaving)
    await started
    expect(told).toEqual(['done'])
  })
})
