export const TAGS = ['Deliveries'];
