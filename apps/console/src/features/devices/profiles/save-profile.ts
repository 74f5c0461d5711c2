import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { saveFile } from '../../../shared/ui/save-file.ts'

/** Saves a profile as a file that can be changed and opened again. */
export function saveProfile(profile: DeviceProfile): void {
  const content = new Blob([`${JSON.stringify(profile, null, 2)}\n`], { type: 'application/json' })
  saveFile({ name: `${profile.id}.json`, content })
}
