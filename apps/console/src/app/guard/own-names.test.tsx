import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeProduct, toModules } from '../testing/fake-product.testkit.ts'
import { findTab, renderConsole } from '../testing/render-console.testkit.tsx'
import { findOwnNames } from './own-names.ts'

test('only names that differ from those of a new installation are names of the administrators', () => {
  const modules = toModules(['pewph', 'pe-fmreal', 'px-reports'])
  const renamed = modules.map((module) =>
    module.url === 'pe-fmreal' ? { ...module, name: '阀门看板' } : module,
  )
  expect([...findOwnNames(renamed)]).toEqual([
    ['pe-fmreal', '阀门看板'],
    ['px-reports', 'px-reports'],
  ])
})

test('a renamed module renames menu entry, breadcrumb, tab, title and palette entry, in every language', async () => {
  const product = startFakeProduct()
  const names: Readonly<Record<string, string>> = { pewph: '供热监控', 'pe-fmreal': '阀门看板' }
  product.permit(
    toModules(['pewph', 'pe-fmreal', 'pe-fmhistory']).map((module) => ({
      ...module,
      name: names[module.url] ?? module.name,
    })),
  )
  const address = '/ewph/fmreal'
  await renderConsole({ role: 'viewer', address, product, language: 'en' })
  expect((await findTab(address)).textContent).toContain('阀门看板')
  expect((await screen.findByTestId('menu')).textContent).toContain('供热监控')
  const crumbs = [...document.querySelectorAll('.crumbs li')].map(({ textContent }) => textContent?.trim())
  expect(crumbs).toEqual(['Home', '供热监控', '阀门看板'])
  await waitFor(() => expect(document.title).toMatch(/^阀门看板 - /))
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  await screen.findByTestId('palette-input')
  const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(options.some((text) => text?.includes('Valve history'))).toBe(true)
  expect(options.some((text) => text?.includes('阀门看板') || text?.includes('供热监控'))).toBe(true)
})
