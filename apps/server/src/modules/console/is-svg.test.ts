import { expect, test } from 'vitest'
import { isSvg } from './is-svg.ts'

const ILLUSTRATOR = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: a drawing program -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!ENTITY odd "]> not the end ['">
  <!-- nor is this: ]> -->
]>
<svg xmlns="&ns_svg;"></svg>`

test.each([
  ['with nothing before it', '<svg/>'],
  ['after a mark of byte order and space', '\uFEFF \n<svg width="1"/>'],
  ['after a style sheet', '<?xml-stylesheet href="a>b"?><svg>'],
  ['after a comment that holds another root', '<!-- <html> --><svg>'],
  ['after a document type', '<!doctype svg><svg>'],
  ['after a document type with a subset of its own', ILLUSTRATOR],
])('an SVG is recognised %s', (_how, text) => {
  expect(isSvg(text)).toBe(true)
})

test.each([
  ['another root', '<html><svg></svg></html>'],
  ['another name that begins so', '<svgfoo/>'],
  ['a comment without an end', '<!-- <svg>'],
  ['a document type without an end', '<!DOCTYPE svg [ <svg>'],
  ['a quotation without an end', '<!DOCTYPE svg "> <svg>'],
  ['text before the root', 'x<svg>'],
  ['nothing', ''],
])('%s is not an SVG', (_what, text) => {
  expect(isSvg(text)).toBe(false)
})

// A pattern that can match a comment in two ways needs 2^n steps for n comments and would not return.
test.each(['<!---->', '<?a?>', '<!DOCTYPE a>', '<!DOCTYPE a ["x"]>', ' \n'])(
  'a file full of %s is read in time that grows with its size',
  (part) => {
    const full = part.repeat(Math.floor((512 * 1024) / part.length))
    expect(isSvg(`${full}<html>`)).toBe(false)
    expect(isSvg(`${full}<svg>`)).toBe(true)
  },
)
