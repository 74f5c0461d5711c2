import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeLanguage } from '../../../shared/i18n/i18n.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { closeHelp, showHelp } from '../help-store.ts'
import HelpPanel from './help-panel.tsx'

async function open(chapter: string) {
  closeHelp()
  showHelp({ chapter })
  return await renderPart(
    <>
      <button type="button">页面</button>
      <HelpPanel />
    </>,
  )
}

test('a chapter is shown with its headings; a link leads to another chapter, and back', async () => {
  const { user } = await open('rthistory')
  expect(await screen.findByRole('heading', { name: '室温历史数据' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '阀门历史数据' }))
  expect(await screen.findByTestId('help-fmhistory')).toBeTruthy()
  await user.click(screen.getByTestId('help-back'))
  expect(await screen.findByTestId('help-rthistory')).toBeTruthy()
})

test('a link to a heading moves the focus to it', async () => {
  const { user } = await open('fmreal')
  await screen.findByTestId('help-fmreal')
  await user.click(screen.getByRole('button', { name: '界面' }))
  await screen.findByTestId('help-console')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('数据的状态'))
})

test('the search finds sections by their text and opens them', async () => {
  const { user } = await open('fmreal')
  await screen.findByTestId('help-fmreal')
  await user.type(screen.getByTestId('help-search'), '死区')
  await user.click(await screen.findByRole('button', { name: /温度平衡管理 › 自动策略/ }))
  expect(await screen.findByTestId('help-eqmonitor')).toBeTruthy()
})

test('Escape closes the manual and gives the focus back to the page', async () => {
  const { user } = await renderPart(
    <>
      <button type="button">页面</button>
      <HelpPanel />
    </>,
  )
  screen.getByRole('button', { name: '页面' }).focus()
  act(() => showHelp({ chapter: 'fmreal' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('help')))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByTestId('help')).toBeNull())
  expect(document.activeElement?.textContent).toBe('页面')
})

test('the chapter follows a change of language', async () => {
  await open('gisshow')
  expect(await screen.findByRole('heading', { name: '地理分布' })).toBeTruthy()
  await act(() => changeLanguage('en'))
  expect(await screen.findByRole('heading', { name: 'Map' })).toBeTruthy()
})
