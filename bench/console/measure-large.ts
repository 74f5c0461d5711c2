import { quantile } from '@isotherm/kernel/statistics'
import { chromium } from '@playwright/test'
import { toLaunchOptions } from '../../tools/product/chromium.ts'
import type { BenchPeer, BenchResult } from '../bench.ts'
import { onLargeCompany } from './large-company.ts'
import { type ChangeTimes, measureChanges } from './measure-changes.ts'
import { type ExportTimes, measureExport } from './measure-export.ts'
import { measureMap } from './measure-map.ts'
import { measurePages, type PageTimes } from './measure-pages.ts'
import { withReportingValves } from './reporting-valves.ts'

const toP95 = (times: readonly number[]): number => quantile(times, 0.95) ?? Number.NaN
const toRange = (times: readonly number[]): string =>
  `${quantile(times, 0.5)?.toFixed(0)} / ${toP95(times).toFixed(0)} ms (${times.length})`

const toPageNotes = (pages: PageTimes): readonly string[] => [
  ...[...pages.firstDataMs].map(
    ([path, ms]) => `${path}, all of the company: first data after ${ms.toFixed(0)} ms`,
  ),
  `Table of ${pages.valves} valves: ${pages.scrolled.fps.toFixed(0)} frames per second while scrolling; ${pages.cellsPerS} visible cells change each second, worst frame ${pages.live.worstMs.toFixed(0)} ms.`,
]

const toChangeNotes = ({
  changesMs,
  answersMs,
  field,
  devices,
  compared,
}: ChangeTimes): readonly string[] => [
  `${devices} devices report each 15 minutes: ${field.messages} messages with ${field.values} values in ${field.seconds.toFixed(0)} s, generator ${field.lateMs.toFixed(0)} ms late at most.`,
  ...Object.entries(changesMs).map(
    ([page, times]) => `A reading until its cell on ${page}, median / of 95 in 100: ${toRange(times)}`,
  ),
  ...Object.entries(answersMs).map(([call, times]) => `Meanwhile, ${call}: ${toRange(times)}`),
  `${compared} rooms of the page were the server's afterwards.`,
]

const toExportNotes = ({ rows, seconds, mb, frames, answersMs }: ExportTimes): readonly string[] => [
  `Workbook of ${rows} rows and ${mb.toFixed(0)} MB in ${seconds.toFixed(0)} s; its rows and the sum of its means are those of the store.`,
  `Page meanwhile: at least ${frames.fps.toFixed(0)} frames per second, the longest ${frames.worstMs.toFixed(0)} ms; coldest rooms for another user ${toRange(answersMs)}.`,
]

/** Measures pages and map of a large company, on a separate server with the console of `consoleDir`. */
export function measureLarge(households: number, consoleDir: string): Promise<BenchResult> {
  return onLargeCompany(households, consoleDir, async (company) => {
    const browser = await chromium.launch(toLaunchOptions())
    try {
      const pages = await measurePages(browser, company, (work) => withReportingValves(company, work))
      const map = await measureMap(browser, company)
      const exported = await measureExport(browser, company)
      const changes = await measureChanges(browser, company)
      const { home, rooms, meters } = changes.changesMs
      const toPeer = (figure: string, value: number): BenchPeer => ({
        figure,
        label: 'of the same page with nothing to do',
        value,
      })
      return {
        figures: {
          page_first_data_100k_ms: Math.max(...pages.firstDataMs.values()),
          table_scroll_worst_frame_ms: pages.scrolled.worstMs,
          live_500_cells_fps: pages.live.fps,
          map_first_draw_230k_ms: map.firstMs,
          map_pan_230k_fps: map.panFps,
          home_change_p95_ms: toP95(home),
          rooms_change_p95_ms: toP95(rooms),
          meters_change_p95_ms: toP95(meters),
          export_1m_rows_s: exported.seconds,
          export_1m_rows_worst_frame_ms: exported.frames.worstMs,
        },
        peers: [
          toPeer('table_scroll_worst_frame_ms', pages.idle.worstMs),
          toPeer('live_500_cells_fps', pages.idle.fps),
          {
            figure: 'map_pan_230k_fps',
            label: 'frames of a page with nothing to do, per second',
            value: map.idleFps,
          },
        ],
        notes: [
          ...toPageNotes(pages),
          `Map: ${company.devices} devices, ${map.tiles} tiles of ${map.tilesKb.toFixed(0)} kB in total at the first draw; rendered without a graphics card.`,
          `Map, a zoom by one: ${map.zoomMs.toFixed(0)} ms until it is idle, worst of five, including 250 ms of animation.`,
          ...toExportNotes(exported),
          ...toChangeNotes(changes),
        ],
      }
    } finally {
      await browser.close()
    }
  })
}
