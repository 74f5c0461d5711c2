import { expect, test } from 'vitest'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { ChangeValues } from './change-values.tsx'

test('a value is shown before and after; a description of the change only after, with names of fields', async () => {
  const { container } = await renderPart(
    <ChangeValues
      before={{ line_count: 1, last_change: '+L1' }}
      after={{ line_count: 2, last_change: 'L5: password, M-1 (address)' }}
    />,
  )
  expect([...container.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    '线路数 1 → 2',
    '修改内容 L5: 密码, M-1 (总线地址)',
  ])
})
