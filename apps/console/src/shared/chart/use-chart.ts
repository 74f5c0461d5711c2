import { LineChart } from 'echarts/charts'
import { GridSimpleComponent } from 'echarts/components'
import { type EChartsType, init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'

// Zoom, legend, marks and what tells of a place are our own: the library's weigh more than a page may, and its legend knows no
// keys.
register([LineChart, GridSimpleComponent, CanvasRenderer])

/** The chart library in a box: made once, given each new option, resized with it. Heavy: only for what is loaded by need. */
export function useChart(option: Parameters<EChartsType['setOption']>[0]) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    if (!box.current) return
    const made = init(box.current, undefined, { renderer: 'canvas' })
    chart.current = made
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])
  useEffect(() => {
    chart.current?.setOption(option, {
      replaceMerge: ['series', 'grid', 'xAxis', 'yAxis'],
      lazyUpdate: true,
    })
  }, [option])
  return { box, chart }
}
