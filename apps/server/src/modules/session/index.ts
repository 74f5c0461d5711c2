export type { SessionService } from './service.ts'
