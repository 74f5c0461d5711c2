import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findTab, renderConsole } from '../testing/render-console.testkit.tsx'

test('F1 opens the chapter of the page in front, also when another chapter is open', async () => {
  const { openPage } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmreal' })
  await findTab('/ewph/fmreal')
  fireEvent.keyDown(window, { key: 'F1' })
  expect(await screen.findByTestId('help-fmreal')).toBeTruthy()
  await openPage('/ewph/fmhistory')
  expect(screen.getByTestId('help-fmreal')).toBeTruthy()
  fireEvent.keyDown(window, { key: 'F1' })
  expect(await screen.findByTestId('help-fmhistory')).toBeTruthy()
})

test('the user menu and the command palette open the help; a logout closes it', async () => {
  const { user, logOut } = await renderConsole({ role: 'irrigation', address: '/ewph/irrreal' })
  await findTab('/ewph/irrreal')
  await user.click(await screen.findByTestId('user-menu'))
  await user.click(await screen.findByText('帮助'))
  expect(await screen.findByTestId('help-irrreal')).toBeTruthy()
  await user.click(screen.getByTestId('help-close'))
  await waitFor(() => expect(screen.queryByTestId('help')).toBeNull())
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  await user.type(await screen.findByTestId('palette-input'), '手册')
  await user.keyboard('{Enter}')
  expect(await screen.findByTestId('help-irrreal')).toBeTruthy()
  await logOut()
  await waitFor(() => expect(screen.queryByTestId('help')).toBeNull())
})
