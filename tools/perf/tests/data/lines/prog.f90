! SPDX-License-Identifier: GPL-2.0-only
module shapes
  implicit none
contains
  pure elemental real(8) function poly(x) result(y)
    real(8), intent(in) :: x
    y = ((x * 0.5d0 + 1.25d0) * x - 0.75d0) * x
  end function
  subroutine relax(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = 0.25d0 * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1)) + poly(a(i, j)) * 1d-6
      end do
    end do
  end subroutine
  recursive integer function fib(n) result(r)
    integer, intent(in) :: n
    if (n < 2) then
      r = n
    else
      r = fib(n - 1) + fib(n - 2)
    end if
  end function
end module
program main
  use shapes
  implicit none
  real(8) :: a(300, 300)
  character(len=40) :: text
  integer :: k, s
  call random_number(a)
  s = 0
  do k = 1, 200
    call relax(a, 300)
    write(text, '(f12.6,i8)') sum(a), k
    s = s + fib(20) + len_trim(text)
  end do
  print *, s, sum(a)
end program
