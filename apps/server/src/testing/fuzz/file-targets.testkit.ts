import { examineGeojson } from '../../modules/map/ground/examine-geojson.ts'
import { openTable } from '../../modules/transfer/readings/read-table.ts'
import { openWorkbook } from '../../platform/spreadsheet/workbook-reader.ts'
import { type StoredFile, UnreadableFileError } from '../../platform/spreadsheet/zip-reader.ts'
import { toArchive } from '../../platform/spreadsheet/zip-writer.ts'
import type { FuzzTarget } from './fuzz.testkit.ts'

const toStored = (bytes: Buffer): StoredFile => ({
  size: bytes.length,
  read: async (start, length) => bytes.subarray(start, start + length),
})

/** Reads all rows. An unreadable file is an outcome, every other error a fault. */
async function toOutcome(
  readRows: () => Promise<AsyncIterable<{ readonly cells: ReadonlyMap<number, string> }>>,
) {
  try {
    let [rows, width] = [0, 0]
    for await (const { cells } of await readRows()) {
      rows += 1
      width = Math.max(width, ...cells.keys())
    }
    return `${'r'.repeat(Math.min(rows, 9))} ${'c'.repeat(Math.min(width, 9))}`
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.message
    throw error
  }
}

export const textFiles: FuzzTarget = {
  name: 'text files of readings',
  seeds: [
    '表号,时间,室温(℃)\r\n1001,2026-01-02 03:04,21.5\r\n"1,002","2026-01-02 03:05",""\r\n',
    'meter;time;value\n1;2026-01-02;"a ""b"" c"\n',
    'meter\ttime\n1\t2\n',
    Buffer.from('b1edbac53bcad2cec20a313b32', 'hex'),
  ],
  words: ['""', '"\r\n"', ';', '\t', '\u00ff\u00fe', '表号', '\u0080', 'PK'],
  run: (bytes) => toOutcome(async () => (await openTable(toStored(bytes), {})).rows()),
}

const base = [
  { name: 'xl/_rels/workbook.xml.rels', texts: ['<a><Relationship Id="r1" Target="s.xml"/></a>'] },
  { name: 'xl/workbook.xml', texts: ['<a><sheet name="s" r:id="r1"/></a>'] },
]

async function packSheet(xml: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of toArchive([...base, { name: 'xl/s.xml', texts: [xml.toString('utf8')] }]))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

const SHEET =
  '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>项目</t></is></c><c r="B1"><v>1.5</v></c></row>' +
  '<row r="3"><c r="C3" t="b"><v>1</v></c><c r="D3" t="str"><f>1+1</f><v>x &amp; y</v></c></row></sheetData></worksheet>'

/** The sheet of a workbook: its XML is changed before it is packed, so that the checksum is right. */
export const sheets: FuzzTarget = {
  name: 'sheets of workbooks',
  seeds: [SHEET],
  words: [
    '<!DOCTYPE a [<!ENTITY e "x">]>',
    '&e;',
    '<c r="ZZZ1">',
    't="s"',
    '<![CDATA[',
    ']]>',
    '<!--',
    '<?a?>',
    'r="0"',
    '&#0;',
  ],
  run: (xml) => toOutcome(async () => (await openWorkbook(toStored(await packSheet(xml)))).readRows('s')),
}

/** Whole archives: headers, sizes and packed bytes are changed. */
export async function createArchives(): Promise<FuzzTarget> {
  return {
    name: 'archives of workbooks',
    seeds: [await packSheet(Buffer.from(SHEET))],
    words: [
      'PK\u0001\u0002',
      'PK\u0003\u0004',
      'PK\u0005\u0006',
      'xl/s.xml',
      '\u0000\u0000\u0000\u0000',
      '\u00ff\u00ff',
    ],
    run: (bytes) => toOutcome(async () => (await openWorkbook(toStored(bytes))).readRows('s')),
  }
}

export const mapFiles: FuzzTarget = {
  name: 'map files',
  seeds: [
    JSON.stringify({
      type: 'FeatureCollection',
      attribution: '<a href="x">OSM</a>',
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
      features: [
        { type: 'Feature', geometry: { type: 'Point', coordinates: [116.4, 39.9] }, properties: {} },
        {
          type: 'Feature',
          geometry: {
            type: 'GeometryCollection',
            geometries: [
              {
                type: 'LineString',
                coordinates: [
                  [1, 2],
                  [3, 4],
                ],
              },
            ],
          },
          properties: null,
        },
      ],
    }),
  ],
  words: [
    '"type":',
    '"coordinates":',
    '"geometries":',
    'GeometryCollection',
    '"crs":',
    '"properties":',
    '"name":',
    '181',
    '<',
  ],
  run: (bytes) => {
    const examined = examineGeojson(bytes.toString('utf8'))
    return examined.kind === 'good' ? `good ${examined.attribution === ''}` : examined.fault
  },
}
