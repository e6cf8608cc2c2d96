/** The floor plan's worker: it divides a graph into rooms and lays them out. */

import { serve } from "../scene/plan/service.ts";

serve(globalThis as unknown as Parameters<typeof serve>[0]);
