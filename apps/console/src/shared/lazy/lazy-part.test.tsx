import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { useNotices } from '../notices/notices.ts'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { LazyPart } from './lazy-part.tsx'

interface GreetingProps {
  readonly name: string
  readonly onClose: () => void
}

const Greeting = ({ name, onClose }: GreetingProps) => (
  <button type="button" data-testid="greeting" onClick={onClose}>
    {name}
  </button>
)

interface PageProps {
  readonly load: () => Promise<{ readonly default: typeof Greeting }>
  /** Time until the page takes note of a failure, ms. */
  readonly slownessMs?: number
}

/** A page with a button that opens the part; each opening gives it another name. */
function Page({ load, slownessMs = 0 }: PageProps) {
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState(0)
  const open = () => {
    setOpen(true)
    setOpened(opened + 1)
  }
  return (
    <>
      <button type="button" data-testid="open" onClick={open}>
        {String(isOpen)}
      </button>
      <LazyPart
        wanted={isOpen}
        load={load}
        onFailed={() => void setTimeout(() => setOpen(false), slownessMs)}
        props={{ name: `name ${opened}`, onClose: () => setOpen(false) }}
      />
    </>
  )
}

test('a part loads when it is first wanted, stays mounted, and gets newer properties', async () => {
  const load = vi.fn(async () => ({ default: Greeting }))
  const { user } = await renderPart(<Page load={load} />)
  expect(load).not.toHaveBeenCalled()
  await user.click(screen.getByTestId('open'))
  const greeting = await screen.findByTestId('greeting')
  expect(greeting.textContent).toBe('name 1')
  await user.click(greeting)
  expect(screen.getByTestId('open').textContent).toBe('false')
  await user.click(screen.getByTestId('open'))
  expect(greeting.isConnected).toBe(true)
  expect(greeting.textContent).toBe('name 2')
  expect(load).toHaveBeenCalledOnce()
})

test.each([0, 100])(
  'a part that cannot be loaded says so once, and is loaded again when it is wanted again, %i ms later',
  async (slownessMs) => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const load = vi.fn<PageProps['load']>()
    load.mockRejectedValueOnce(new Error('offline'))
    load.mockResolvedValueOnce({ default: Greeting })
    const { user } = await renderPart(<Page load={load} slownessMs={slownessMs} />)
    await user.click(screen.getByTestId('open'))
    await waitFor(() => expect(useNotices.getState().notices.map(({ level }) => level)).toEqual(['error']))
    await waitFor(() => expect(screen.getByTestId('open').textContent).toBe('false'))
    expect(load).toHaveBeenCalledOnce()
    await user.click(screen.getByTestId('open'))
    expect(await screen.findByTestId('greeting')).toBeTruthy()
  },
)
