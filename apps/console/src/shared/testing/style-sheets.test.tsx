import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

test('style sheets hide from tests what they hide from users; what only changes looks is left out', () => {
  const rules = `
    @keyframes blink{0%{opacity:0;}}
    .gone{color:red;display:none;content:"};color:red";--size:1px;}
    @media (min-width:1px){p:hover,.unseen{margin:0;visibility:hidden}.blue{color:blue;}}
    .still{pointer-events:none;transition:color .2s}`
  render(
    <>
      <style>{rules}</style>
      <p className="gone">gone</p>
      <p className="unseen">unseen</p>
      <p className="still blue">still</p>
    </>,
  )
  const styles = ['gone', 'unseen', 'still'].map((text) => getComputedStyle(screen.getByText(text)))
  expect(styles.map(({ display }) => display)).toEqual(['none', 'block', 'block'])
  expect(styles.map(({ visibility }) => visibility || 'visible')).toEqual(['visible', 'hidden', 'visible'])
  expect(styles.map(({ pointerEvents }) => pointerEvents || 'auto')).toEqual(['auto', 'auto', 'none'])
  expect(styles.map(({ color }) => color)).toEqual(['', '', ''])
  expect(screen.getAllByRole('paragraph')).toHaveLength(1)
})
