import type { Endpoint } from '@isotherm/contract/endpoint'
import { getIrrigation } from '@isotherm/contract/endpoints/control/irrigation'
import { getRooms, getRoomVisits } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getWeather } from '@isotherm/contract/endpoints/monitoring/weather'
import type { NodeKey } from '@isotherm/contract/tree'
import { mayCall } from '../../../shared/session/may-call.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { WeatherPanel } from '../weather/weather-panel.tsx'
import { ColdRoomsPanel } from './cold-rooms-panel.tsx'
import { IrrigationPanel } from './irrigation-panel.tsx'
import { VisitsPanel } from './visits-panel.tsx'

/** Panels by what the user may do, whether or not they may read valves: weather, cold rooms, visits and irrigation. */
export function RolePanels({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const permitted = useSession((session) => session.permitted)
  const may = (endpoint: Pick<Endpoint, 'access'>) => mayCall(endpoint, permitted)
  return (
    <>
      {may(getWeather) && <WeatherPanel nodes={nodes} isWide={!may(getRooms)} />}
      {may(getRooms) && <ColdRoomsPanel nodes={nodes} />}
      {may(getRoomVisits) && <VisitsPanel nodes={nodes} />}
      {may(getIrrigation) && <IrrigationPanel nodes={nodes} />}
    </>
  )
}
