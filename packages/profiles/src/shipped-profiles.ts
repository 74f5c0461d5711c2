import { type DeviceProfile, deviceProfile } from '@isotherm/contract/device-profile'
import heatMeterCjt188 from './shipped/heat-meter-cjt188.json' with { type: 'json' }
import heatMeterMbus from './shipped/heat-meter-mbus.json' with { type: 'json' }
import roomSensorLht65 from './shipped/room-sensor-dragino-lht65.json' with { type: 'json' }
import roomSensorEm300 from './shipped/room-sensor-milesight-em300.json' with { type: 'json' }
import roomSensorModbus from './shipped/room-sensor-modbus.json' with { type: 'json' }
import stationPlcModbus from './shipped/station-plc-modbus.json' with { type: 'json' }
import valveUc511 from './shipped/valve-milesight-uc511.json' with { type: 'json' }
import valveWt101 from './shipped/valve-milesight-wt101.json' with { type: 'json' }
import valveModulatingCjt188 from './shipped/valve-modulating-cjt188.json' with { type: 'json' }
import valveModulatingModbus from './shipped/valve-modulating-modbus.json' with { type: 'json' }
import valveOnOffCjt188 from './shipped/valve-on-off-cjt188.json' with { type: 'json' }

/**
 * Profiles that come with the product. Those with Modbus registers are examples of a usual arrangement: a real PLC or
 * sensor has its own addresses, so its profile is a changed copy.
 */
export const shippedProfiles: readonly DeviceProfile[] = [
  heatMeterCjt188,
  heatMeterMbus,
  valveOnOffCjt188,
  valveModulatingCjt188,
  valveModulatingModbus,
  roomSensorModbus,
  stationPlcModbus,
  roomSensorEm300,
  roomSensorLht65,
  valveWt101,
  valveUc511,
].map((profile) => deviceProfile.parse(profile))
