export type { DeviceDirectory, DirectoryEntry } from './directory.ts'
export type { DevicePage, DevicesService } from './service.ts'
