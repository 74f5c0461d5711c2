import { expect, test, vi } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { warnOf } from './tree-warning.ts'

test('§9 Tree warnings are shown for 1 s, and the cause is logged', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const cause = new Error('offline')
  warnOf('groupsFailed', cause)
  expect(useNotices.getState().notices).toMatchObject([{ level: 'warning', durationS: 1 }])
  expect(logged).toHaveBeenCalledWith('groupsFailed', cause)
  logged.mockRestore()
})
