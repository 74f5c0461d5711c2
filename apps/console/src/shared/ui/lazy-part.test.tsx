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
}

/** A page with a button that opens the part; each opening gives it another name. */
function Page({ load }: PageProps) {
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
        onFailed={() => setOpen(false)}
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

test('a part that cannot be loaded says so, and is loaded again when it is wanted again', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const load = vi.fn<() => Promise<{ default: typeof Greeting }>>()
  load.mockRejectedValueOnce(new Error('offline'))
  load.mockResolvedValueOnce({ default: Greeting })
  const { user } = await renderPart(<Page load={load} />)
  await user.click(screen.getByTestId('open'))
  await waitFor(() => expect(useNotices.getState().notices.map(({ level }) => level)).toEqual(['error']))
  await waitFor(() => expect(screen.getByTestId('open').textContent).toBe('false'))
  await user.click(screen.getByTestId('open'))
  expect(await screen.findByTestId('greeting')).toBeTruthy()
})
