import { MINUTE_MS } from '@isotherm/kernel/durations'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { NEW } from '../../../shared/records/list-url.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import { usePageUrl } from '../../../shared/url/use-page-url.ts'
import type { DevicePageKind } from './device-page-kind.ts'
import { deviceAddress, listDevices } from './device-query.ts'
import { toDeviceRow } from './device-row.ts'
import { problemsQuery } from './problems-query.ts'

const nothing: readonly never[] = []
const REFRESH_MS = 20_000
/** All lists of devices, whatever their filters. */
const LISTS = ['devices', 'list'] as const

/** State of a page of device management: its address, the devices of the shown page, and their problems. */
export function useDevicePage(page: DevicePageKind) {
  const client = useQueryClient()
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(deviceAddress.parse, deviceAddress.toSearch)
  const text = usePaused(url.text).trim()
  const { filters, sort, descending, page: number } = url
  const listed = useQuery({
    queryKey: [...LISTS, page.name, nodes, text, filters, sort, descending, number],
    queryFn: ({ signal }) =>
      listDevices(
        { page, nodes: nodes ?? nothing, text, url: { filters, sort, descending, page: number } },
        signal,
      ),
    enabled: nodes !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const ids = useMemo(() => listed.data?.datalist.map(({ device }) => device.id) ?? nothing, [listed.data])
  const problems = useQuery({ ...problemsQuery(ids), refetchInterval: MINUTE_MS })
  const data = useMemo(
    () =>
      listed.data && {
        total: listed.data.total,
        datalist: listed.data.datalist.map((real) => toDeviceRow(real, problems.data?.get(real.device.id))),
      },
    [listed.data, problems.data],
  )
  const { error, dataUpdatedAt, refetch } = listed
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: LISTS }), [client])
  const close = useCallback(() => change({ open: undefined }), [change])
  return {
    /** Whether the selected tree node no longer exists. */
    isGone: nodes === undefined,
    url,
    change,
    query: { data, error, dataUpdatedAt, refetch },
    isNew: url.open === NEW,
    /** Number of the device in the open drawer. */
    openId: url.open === undefined || url.open === NEW ? undefined : Number(url.open) || undefined,
    add: () => change({ open: NEW }, { push: true }),
    close,
    /** Loads all lists of devices again after a change. */
    reload,
  }
}
