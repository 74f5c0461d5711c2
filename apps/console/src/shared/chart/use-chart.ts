import { LineChart } from 'echarts/charts'
import { GridSimpleComponent } from 'echarts/components'
import { type EChartsType, init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'

// Zoom, legend, marks and tooltip are our own. Those of the library are too large for the size budget of a page, and the
// library's legend has no keyboard support.
register([LineChart, GridSimpleComponent, CanvasRenderer])

/**
 * Hosts the chart library in an element: creates it once, applies each new option, resizes it. The library is large, so
 * import this file only from lazily loaded code.
 */
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
