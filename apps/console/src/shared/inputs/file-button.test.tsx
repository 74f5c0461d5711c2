import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { FileButton } from './file-button.tsx'

test('the button opens the choice of the browser, takes the same file again, and one that is dropped on it', async () => {
  const onFile = vi.fn()
  const { user } = await renderPart(
    <FileButton label="Open" accept=".json" inputTestId="input" data-testid="button" onFile={onFile} />,
  )
  const input: HTMLInputElement = screen.getByTestId('input')
  const choosing = vi.spyOn(input, 'click')
  await user.click(screen.getByTestId('button'))
  expect(choosing).toHaveBeenCalledOnce()
  const file = new File(['{}'], 'profile.json', { type: 'application/json' })
  await user.upload(input, file)
  expect(input.value).toBe('')
  await user.upload(input, file)
  fireEvent.drop(screen.getByTestId('button'), { dataTransfer: { files: [file] } })
  expect(onFile.mock.calls).toEqual([[file], [file], [file]])
})
