import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { resumeQueries } from './resume.ts'

/** An active query whose first answer fails and whose later answers are "here". */
function createQuery(queries: QueryClient, key: string, failure: Error) {
  let requested = 0
  const observer = new QueryObserver(queries, {
    queryKey: [key],
    retry: false,
    queryFn: async () => {
      requested += 1
      if (requested === 1) throw failure
      return 'here'
    },
  })
  const leave = observer.subscribe(() => {})
  return { observer, leave, requested: () => requested }
}

test('after a lost connection, queries that failed are refetched, and refused ones are not', async () => {
  const queries = new QueryClient()
  const lost = createQuery(queries, 'lost', new ApiError('network.failed', 'no network'))
  const refused = createQuery(queries, 'refused', new ApiError('access.denied', 'no'))
  await expect.poll(() => refused.observer.getCurrentResult().status).toBe('error')
  await expect.poll(() => lost.observer.getCurrentResult().status).toBe('error')
  await resumeQueries(queries)
  expect(lost.observer.getCurrentResult().data).toBe('here')
  expect(refused.requested()).toBe(1)
  lost.leave()
  refused.leave()
})

test('a failed command is not sent again', async () => {
  const queries = new QueryClient()
  let sent = 0
  const order = queries.getMutationCache().build(queries, {
    retry: false,
    mutationFn: async () => {
      sent += 1
      throw new ApiError('network.timeout', 'slow')
    },
  })
  await expect(order.execute(undefined)).rejects.toThrow('slow')
  await resumeQueries(queries)
  expect(sent).toBe(1)
})
