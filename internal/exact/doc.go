// Package exact is the arithmetic behind sums that do not depend on order.
package exact
