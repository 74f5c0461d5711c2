import type { Group } from '@isotherm/contract/endpoints/network/network'
import { describe, expect, test } from 'vitest'
import { createCompany } from '../lists/list-samples.testkit.ts'
import { createLoadedTree, keysBelow } from './tree-samples.testkit.ts'
import type { TreeSource } from './tree-source.ts'
import { createTreeStart, openFirst } from './tree-start.ts'

/** A first load of the sample company, with its events. */
function createBench(change: Partial<TreeSource> = {}) {
  const world = createLoadedTree(createCompany(), change)
  const events: string[] = []
  const { start, touch } = createTreeStart({
    settle: () => void events.push('settled'),
    onDone: () => void events.push('done'),
    onFail: () => void events.push('failed'),
  })
  return { ...world, events, touch, begin: () => start(() => openFirst(world.tree, world.loader)) }
}

/** A group call that the test resolves or rejects. */
function delayGroups() {
  const requests = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<readonly Group[]>()
  const listGroups = () => {
    requests.resolve()
    return answer.promise
  }
  return { change: { listGroups }, requests: requests.promise, answer }
}

const leaving = new DOMException('The page is being left', 'AbortError')

describe('the first load', () => {
  test('opens single nodes down to the first level with a choice, and is stored', async () => {
    const { tree, at, events, begin } = createBench()
    await begin()
    expect(keysBelow(tree, at('4'))).toEqual(['5', '6'])
    expect(tree.isExpanded(at('4'))).toBe(true)
    expect(events).toEqual(['settled', 'done'])
  })

  test('that is interrupted by leaving the page is not stored', async () => {
    const { change, requests, answer } = delayGroups()
    const { events, begin } = createBench(change)
    const started = begin()
    await requests
    answer.reject(leaving)
    await started
    expect(events).toEqual(['done'])
  })

  test('that is interrupted by the logout is not stored', async () => {
    const { change, requests, answer } = delayGroups()
    const { events, begin, loader } = createBench(change)
    const started = begin()
    await requests
    loader.close()
    answer.resolve(createCompany().groups)
    await started
    expect(events).toEqual(['done'])
  })

  test('that fails may be repeated, and is then stored', async () => {
    let fails = true
    const { events, begin } = createBench({
      async listProjects() {
        if (fails) throw new Error('the server is away')
        return { list: createCompany().projects, total: 1 }
      },
    })
    await begin()
    expect(events).toEqual(['failed'])
    fails = false
    await begin()
    expect(events).toEqual(['failed', 'settled', 'done'])
  })

  test('that is started twice runs once', async () => {
    const { requests, begin } = createBench()
    await Promise.all([begin(), begin()])
    expect(requests.filter((each) => each.startsWith('projects'))).toHaveLength(1)
  })
})

describe('an action of the user', () => {
  test('causes the tree to be stored, also after a failed start', async () => {
    const { events, begin, touch } = createBench({ listGroups: () => Promise.reject(new Error('failed')) })
    await begin()
    expect(events).toEqual(['done'])
    touch()
    expect(events).toEqual(['done', 'settled'])
  })

  test('during the start stores nothing unless the start completes', async () => {
    const { change, requests, answer } = delayGroups()
    const { events, begin, touch } = createBench(change)
    const started = begin()
    await requests
    touch()
    answer.reject(leaving)
    await started
    expect(events).toEqual(['done'])
  })
})
