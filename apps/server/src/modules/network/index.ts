export type { NetworkService } from './service.ts'
