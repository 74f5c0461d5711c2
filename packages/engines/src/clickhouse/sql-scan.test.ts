import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeStatement, quoteName, quoteText } from './sql-scan.ts'

test.each([
  ['SELECT 1', { kind: 'read' }],
  [
    '  -- why\n/* ; */ with a as (select 1) select * from a FORMAT JSONEachRow',
    { kind: 'read', format: 'JSONEachRow' },
  ],
  ['SELECT \';\' AS a, `b;`, "c;", $x$;$x$ FORMAT CSV;', { kind: 'read', format: 'CSV' }],
  ["SELECT 'it''s \\' ; FORMAT Null'", { kind: 'read' }],
  ['SELECT formatDateTime(now(), format) FROM (SELECT 1 FORMAT TSV)', { kind: 'read' }],
  ['CREATE TABLE t (a UInt8) ENGINE = Memory', { kind: 'other' }],
  ['SELECT 1; DROP TABLE t', { kind: 'read', several: true }],
  ['SELECT 1;\n-- end', { kind: 'read' }],
  ["SELECT 1 INTO OUTFILE '/etc/passwd'", { kind: 'read', touchesFiles: true }],
  ["INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV", { kind: 'other', touchesFiles: true }],
  ["INSERT INTO t VALUES (1, ';')", { kind: 'other', inlineData: true, format: 'Values' }],
  ['INSERT INTO t SELECT * FROM u', { kind: 'other' }],
  ['INSERT INTO t SELECT 1; SELECT 2', { kind: 'other', several: true }],
  ['', { kind: 'other' }],
])('%j is seen as %j', (sql, expected) => {
  expect(describeStatement(sql)).toEqual(expected)
})

test('an insert with rows as data has the position of its source, after the columns and before the settings', () => {
  const sql = 'INSERT INTO `d;b`.t (a, "format") SETTINGS max_threads = 1 FORMAT RowBinary'
  expect(describeStatement(sql)).toEqual({
    kind: 'insert',
    format: 'RowBinary',
    sourceAt: sql.indexOf('SETTINGS'),
    inlineData: false,
  })
})

test('an insert with its rows in the text is not changed', () => {
  expect(describeStatement('INSERT INTO t FORMAT JSONEachRow {"a": 1}').inlineData).toBe(true)
})

test('a quoted text or name with any content never ends early', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const sql = `SELECT ${quoteText(value)} AS ${quoteName(value)} FORMAT TSV`
      expect(describeStatement(sql)).toEqual({ kind: 'read', format: 'TSV' })
    }),
  )
})

test('any text is scanned in linear time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (text) => {
      expect(describeStatement(`SELECT ${text}`).kind).toMatch(/read|other/)
    }),
  )
})
